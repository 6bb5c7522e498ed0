/** What a program writes to its log: opening lines, then some lines per second, and closing lines. All pure functions. */

import type { ContainerInstance } from '../nodes/running-pod.ts';
import { noise } from '../noise.ts';

/** Plain text goes to stdout. */
export type Written = string | { stderr: string };

/** `at` is the time of the line, in milliseconds. */
export type TimedLine = (at: number) => Written;

export interface LogProgram {
  /** Lines per second between the opening and the closing lines, unless the pod sets another rate. */
  rate: number;
  opening: readonly TimedLine[];
  /** The times of the opening lines, in milliseconds after the start; without them, all are written at the start. */
  openingTimes?: readonly number[];
  /** The nth line after the opening. */
  steady(n: number, at: number): Written;
  /** The maximum number of these lines; unlimited if absent. */
  steadyTotal?: number;
  /** Lines that it writes before it ends. */
  closing: readonly TimedLine[];
}

/** The container that writes the log. */
export interface LoggedContainer {
  pod: string;
  namespace: string;
  ip: string;
  container: string;
  image: string;
  command: readonly string[];
  instance: ContainerInstance;
  seed: number;
}

/** Several random numbers for one line, each with an index of its own. */
export const numbersOf =
  ({ seed }: Pick<LoggedContainer, 'seed'>, n: number) =>
  (place: number): number =>
    noise(seed + place, n);

export const iso = (at: number): string => new Date(at).toISOString();

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

/** `17/Nov/2026:12:00:05 +0000`, the format of web servers. */
export function accessTime(at: number): string {
  const time = new Date(at);
  const day = `${two(time.getUTCDate())}/${months[time.getUTCMonth()]}/${time.getUTCFullYear()}`;
  return `${day}:${iso(at).slice(11, 19)} +0000`;
}

/** `17 Nov 2026 12:00:05.123`, the format of Redis. */
export function dayTime(at: number): string {
  const time = new Date(at);
  return `${two(time.getUTCDate())} ${months[time.getUTCMonth()]} ${time.getUTCFullYear()} ${iso(at).slice(11, 23)}`;
}

/** `2026-11-17 12:00:05.123 UTC`, the format of PostgreSQL. */
export const spacedTime = (at: number): string => `${iso(at).slice(0, 10)} ${iso(at).slice(11, 23)} UTC`;

/** klog's header: `I1117 12:00:05.123000       1 main.go:76]`. */
export function klogHead(at: number, place: string): string {
  const time = new Date(at);
  const day = `${two(time.getUTCMonth() + 1)}${two(time.getUTCDate())}`;
  return `I${day} ${iso(at).slice(11, 23)}000       1 ${place}]`;
}
