import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { markedEnv } from './run-mark.ts';

export interface ChildSpec {
  name: string;
  path: string;
  args: string[];
  /** Working folder; the log is `logs/<name>.log` in it. */
  folder: string;
  run: string;
  env?: NodeJS.ProcessEnv;
  /** Give standard output to the runner; it goes to the log otherwise. */
  stdout?: boolean;
}

/** One long-running process of a member. */
export class Child {
  readonly spec: ChildSpec;
  readonly #process: ChildProcess;
  /** Settles when the process ends, with an error that has the exit code and its last lines. */
  readonly ended: Promise<Error>;
  #running = true;

  constructor(spec: ChildSpec) {
    this.spec = spec;
    const log = openSync(this.logPath, 'a');
    this.#process = spawn(spec.path, spec.args, {
      cwd: spec.folder,
      env: { ...markedEnv(spec.run), ...spec.env },
      stdio: ['ignore', spec.stdout ? 'pipe' : log, log],
      // Ctrl-C goes to the runner, which ends its members in order
      detached: true,
    });
    closeSync(log);
    this.ended = new Promise((resolve) => {
      this.#process.once('error', (error) => resolve(this.#end(error.message)));
      this.#process.once('exit', (code, signal) => resolve(this.#end(signal ?? `exit code ${code}`)));
    });
  }

  get logPath(): string {
    return join(this.spec.folder, 'logs', `${this.spec.name}.log`);
  }

  get running(): boolean {
    return this.#running;
  }

  get pid(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error(`${this.spec.name} has not started`);
    return pid;
  }

  get stdout(): Readable {
    if (!this.#process.stdout) throw new Error(`the output of ${this.spec.name} goes to its log`);
    return this.#process.stdout;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#running) this.#process.kill(signal);
  }

  /** Sends the signal and returns when the process has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    this.signal(signal);
    await this.ended;
  }

  /** The runner may end before it. */
  unref(): void {
    this.#process.unref();
    (this.#process.stdout as unknown as { unref(): void } | null)?.unref();
  }

  #end(how: string): Error {
    this.#running = false;
    return new Error(`${this.spec.name} ended (${how}):\n${this.#lastWords()}`);
  }

  #lastWords(): string {
    // no file: the member's folder went first
    if (!existsSync(this.logPath)) return '';
    return readFileSync(this.logPath, 'utf8').trim().split('\n').slice(-8).join('\n');
  }
}
