/**
 * The log of one instance of a container. Line n and its time are computed, so that nothing is stored, and the last lines of a long
 * log cost as much as those of a short one.
 */

import { noise } from '../noise.ts';
import type { LoggedContainer, LogProgram, Written } from './program.ts';

export interface LogLine {
  /** In milliseconds, with a fraction. */
  at: number;
  stream: 'Stdout' | 'Stderr';
  text: string;
}

/** In milliseconds between two consecutive lines that a program writes together. */
const atOnce = 1.7;
const millisPerSecond = 1000;
/** The maximum rate in lines per second, whatever a pod requests: followers of a log are sent each line. */
const mostLines = 1_000;
/** Exit codes of SIGKILL and SIGTERM. */
const killed: readonly number[] = [137, 143];

export class InstanceLog {
  readonly #program: LogProgram;
  readonly #seed: number;
  readonly #startedAt: number;
  readonly #endedAt: number;
  readonly #wasKilled: boolean;
  readonly #period: number;

  /** `rate` is in lines per second; by default, the program's own. */
  constructor(program: LogProgram, { instance, seed }: LoggedContainer, rate = program.rate) {
    this.#program = program;
    this.#seed = seed;
    this.#startedAt = instance.startedAt;
    this.#endedAt = Math.max(instance.end?.at ?? Number.POSITIVE_INFINITY, instance.startedAt);
    this.#wasKilled = killed.includes(instance.end?.exitCode ?? 0);
    this.#period = rate > 0 ? millisPerSecond / Math.min(rate, mostLines) : Number.POSITIVE_INFINITY;
  }

  /** How many lines exist at that time. */
  countAt(now: number): number {
    const { opening, closing } = this.#program;
    const isOver = this.hasEnded && now >= this.#endedAt;
    // A program writes its opening lines in full, however soon it ends. A script that was killed stops at that moment.
    const isWhole = isOver && !(this.#wasKilled && this.#program.openingTimes);
    const started = isWhole ? opening.length : this.#openingAt(Math.min(now, this.#endedAt));
    return started + this.#steadyAt(Math.min(now, this.#endedAt)) + (isOver ? closing.length : 0);
  }

  /** How many lines are older than that. Uses the order of lines, as there may be too many to examine each. */
  countBefore(time: number): number {
    let [least, most] = [0, this.countAt(time)];
    while (least < most) {
      const middle = Math.floor((least + most) / 2);
      if (this.timeOf(middle) < time) least = middle + 1;
      else most = middle;
    }
    return least;
  }

  /** The number of the first closing line. */
  get closingFrom(): number {
    return this.#program.opening.length + this.#steadyTotal;
  }

  get hasEnded(): boolean {
    return this.#endedAt !== Number.POSITIVE_INFINITY;
  }

  line(n: number): LogLine {
    const at = this.timeOf(n);
    const { opening, closing, steady } = this.#program;
    const last = n - this.closingFrom;
    const written: Written =
      n < opening.length ? opening[n]!(at) : last >= 0 ? closing[last]!(at) : steady(n - opening.length, at);
    return typeof written === 'string'
      ? { at, stream: 'Stdout', text: written }
      : { at, stream: 'Stderr', text: written.stderr };
  }

  /** The time of any line, future ones included. */
  timeOf(n: number): number {
    const { opening } = this.#program;
    const at =
      n < opening.length ? this.#startedAt + this.#openingTime(n) : this.#steadyFrom + this.#offset(n - opening.length);
    return Math.min(at, this.#endedAt);
  }

  get #steadyFrom(): number {
    return this.#startedAt + this.#openingTime(this.#program.opening.length);
  }

  #openingTime(n: number): number {
    return this.#program.openingTimes?.[n] ?? (n + 1) * atOnce;
  }

  /** Within its period each line has an offset of its own. */
  #offset(n: number): number {
    const isNever = this.#period === Number.POSITIVE_INFINITY || n >= (this.#program.steadyTotal ?? n + 1);
    return isNever ? Number.POSITIVE_INFINITY : (n + noise(this.#seed, n)) * this.#period;
  }

  get #steadyTotal(): number {
    return this.hasEnded ? this.#steadyAt(this.#endedAt) : Number.POSITIVE_INFINITY;
  }

  #openingAt(now: number): number {
    const { opening } = this.#program;
    let count = 0;
    while (count < opening.length && this.#startedAt + this.#openingTime(count) <= now) count += 1;
    return count;
  }

  #steadyAt(now: number): number {
    const periods = (now - this.#steadyFrom) / this.#period;
    if (!(periods > 0)) return 0;
    const whole = Math.floor(periods);
    const count = whole + (noise(this.#seed, whole) <= periods - whole ? 1 : 0);
    return Math.min(count, this.#program.steadyTotal ?? Number.POSITIVE_INFINITY);
  }
}
