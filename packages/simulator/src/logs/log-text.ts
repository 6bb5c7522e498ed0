/** Formats the lines of a log by PodLogOptions, in the kubelet's order: tail, then since, then the limit. */

import type { LogOptions } from '@fleet/apiserver/connect/connector.ts';
import type { InstanceLog, LogLine } from './instance-log.ts';

/** How many lines the kubelet keeps before rotation. */
export const mostKept = 20_000;

/** The number of the first line to show. */
export function firstLine(log: InstanceLog, options: LogOptions, now: number): number {
  const count = log.countAt(now);
  const { tailLines, sinceTime, sinceSeconds } = options;
  const since = sinceSeconds === undefined ? Date.parse(sinceTime ?? '') : now - sinceSeconds * 1000;
  return Math.max(
    0,
    count - mostKept,
    tailLines === undefined ? 0 : count - tailLines,
    Number.isNaN(since) ? 0 : log.countBefore(since),
  );
}

/** All nine digits of the nanoseconds are written. */
export function timestamp(at: number): string {
  const whole = Math.floor(at);
  const nanos = String(Math.floor((at - whole) * 1e6)).padStart(6, '0');
  return `${new Date(whole).toISOString().slice(0, -1)}${nanos}Z`;
}

/** Cuts at `limitBytes`, even within a line. */
export class LogText {
  readonly #options: LogOptions;
  #left: number;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#left = options.limitBytes ?? Number.POSITIVE_INFINITY;
  }

  get isFull(): boolean {
    return this.#left <= 0;
  }

  bytesOf({ at, stream, text }: LogLine): Buffer {
    const { timestamps, stream: selected } = this.#options;
    if (selected !== 'All' && selected !== stream) return Buffer.alloc(0);
    const bytes = Buffer.from(`${timestamps ? `${timestamp(at)} ` : ''}${text}\n`);
    const taken = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes;
    this.#left -= taken.length;
    return taken;
  }
}
