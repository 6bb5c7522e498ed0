/** Logs of a command that the built-in shell can run: its output, as if it had run since the container's start. */

import type { CommandSession } from '@fleet/apiserver/connect/connector.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { Clock } from '../../clock.ts';
import { type Process, runCommand } from '../../shell/run-command.ts';
import type { LogProgram, Written } from '../program.ts';

/** In milliseconds, for a script that does not end: later output is not computed. */
const longestRun = 86_400_000;
const mostLines = 1_000;
/** In characters. */
const mostText = 4 * 1024 * 1024;
/** The duration of a command in milliseconds. */
const commandTime = 0.9;

class Stopped extends Error {}

interface TimedText {
  at: number;
  written: Written;
}

/** A clock on which waiting takes no time, and the lines that were written meanwhile. */
class ScriptRun implements Clock {
  readonly lines: TimedText[] = [];
  readonly #startedAt: number;
  readonly #open = { stdout: '', stderr: '' };
  #elapsed = 0;
  #left = mostText;

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  now(): number {
    return this.#startedAt + this.#elapsed;
  }

  async wait(millis: number): Promise<void> {
    this.#elapsed += millis;
    if (this.#elapsed > longestRun) throw new Stopped();
  }

  output(stream: 'stdout' | 'stderr') {
    return async (chunk: Uint8Array): Promise<void> => {
      this.#elapsed += commandTime;
      this.#left -= chunk.length;
      if (this.#left < 0) throw new Stopped();
      const [first = '', ...more] = Buffer.from(chunk).toString().split('\n');
      this.#open[stream] += first;
      for (const next of more) {
        this.#line(stream);
        this.#open[stream] = next;
      }
    };
  }

  end(): void {
    if (this.#open.stdout !== '') this.#line('stdout');
    if (this.#open.stderr !== '') this.#line('stderr');
  }

  #line(stream: 'stdout' | 'stderr'): void {
    const text = this.#open[stream];
    this.#open[stream] = '';
    this.lines.push({ at: this.#elapsed, written: stream === 'stdout' ? text : { stderr: text } });
    if (this.lines.length >= mostLines) throw new Stopped();
  }
}

async function* none(): AsyncGenerator<never> {}

export async function scriptProgram(
  process: Omit<Process, 'clock' | 'isOwnCommand' | 'onError'>,
  command: readonly string[],
  signal: AbortSignal,
): Promise<LogProgram> {
  const run = new ScriptRun(process.instance.startedAt);
  const session: CommandSession = {
    container: process.container.name,
    command,
    tty: false,
    stdin: undefined,
    stdout: run.output('stdout'),
    stderr: run.output('stderr'),
    resizes: none(),
    signal,
  };
  try {
    const onError = (error: unknown) => {
      throw error;
    };
    await runCommand({ ...process, clock: run, isOwnCommand: true, onError }, session);
    run.end();
  } catch (error) {
    // A program that does not exist writes nothing.
    if (!(error instanceof Stopped || error instanceof StatusError)) throw error;
  }
  return {
    rate: 0,
    opening: run.lines.map(
      ({ written }) =>
        () =>
          written,
    ),
    openingTimes: run.lines.map(({ at }) => at),
    steady: () => '',
    closing: [],
  };
}
