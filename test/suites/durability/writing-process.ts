/** Drives a writer: keeps writes under way, notes which were answered, and can end it without warning. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { asMutant, type Mutant } from '@fleet/bed/mutant.ts';

const program = fileURLToPath(new URL('./writer.ts', import.meta.url));

export interface WriterOptions {
  directory: string;
  mutant?: Mutant | undefined;
  /** What to start it with, such as a tracer. */
  under?: string[];
}

export class WritingProcess implements AsyncDisposable {
  /** Keys that were answered, with the answer. */
  readonly answers = new Map<string, string>();
  /** Keys in the order in which they were sent. */
  readonly sent: string[] = [];
  readonly #child: ChildProcess;
  readonly #changed = new EventTarget();
  #opened = false;

  constructor({ directory, mutant, under = [] }: WriterOptions) {
    const planted = mutant ? asMutant(mutant) : { nodeFlags: [], env: {} };
    const [command, ...args] = [...under, process.execPath, ...planted.nodeFlags, program, directory];
    this.#child = spawn(command!, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...planted.env },
    });
    // A process that was killed takes no more: what it did take is what counts.
    this.#child.stdin!.on('error', () => {});
    createInterface(this.#child.stdout!).on('line', (line) => this.#hear(line));
    this.#child.on('exit', () => this.#changed.dispatchEvent(new Event('change')));
  }

  async opened(): Promise<void> {
    await this.#until(() => this.#opened);
  }

  /** Keeps so many writes under way until so many are answered. */
  async write(prefix: string, { answers, underWay }: { answers: number; underWay: number }): Promise<void> {
    await this.#until(() => {
      while (this.answers.size < answers && this.sent.length - this.answers.size < underWay) {
        const key = `/${prefix}/${this.sent.length}`;
        this.sent.push(key);
        this.#child.stdin!.write(`${key}\n`);
      }
      return this.answers.size >= answers;
    });
  }

  async kill(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.stdin!.end();
    await exit;
  }

  #hear(line: string): void {
    const [first, ...rest] = line.split(' ');
    if (first === 'open') this.#opened = true;
    else this.answers.set(first!, rest.join(' '));
    this.#changed.dispatchEvent(new Event('change'));
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#child.exitCode !== null) throw new Error(`the writer ended with ${this.#child.exitCode}`);
      await once(this.#changed, 'change');
    }
  }
}
