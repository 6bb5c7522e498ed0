/** A clock with scaled delays: they may be divided by a factor, while timestamps stay real. */

import type { Delays } from '../../delays.ts';

export interface ScaledTime {
  now(): number;
  /** Converts seconds of the cluster to milliseconds of this process. */
  millis(seconds: number): number;
}

export const scaledTime = (delays: Delays): ScaledTime => ({
  now: Date.now,
  millis: (seconds) => delays.millis(seconds),
});
