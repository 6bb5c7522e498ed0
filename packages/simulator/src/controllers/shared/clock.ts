/** The time, and how long things take in this cluster: delays may be divided by a factor, timestamps stay real. */

import type { Delays } from '../../delays.ts';

export interface Clock {
  now(): number;
  /** How many milliseconds of this process so many seconds are. */
  millis(seconds: number): number;
}

export const clockOf = (delays: Delays): Clock => ({ now: Date.now, millis: (seconds) => delays.millis(seconds) });

/** As Kubernetes writes metav1.Time. */
export const timeText = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`;
