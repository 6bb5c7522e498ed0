/** The time, and how long things take in this cluster: delays may be divided by a factor, timestamps stay real. */

import type { Delays } from '../../delays.ts';

export interface ScaledTime {
  now(): number;
  /** How many milliseconds of this process so many seconds are. */
  millis(seconds: number): number;
}

export const scaledTime = (delays: Delays): ScaledTime => ({
  now: Date.now,
  millis: (seconds) => delays.millis(seconds),
});
