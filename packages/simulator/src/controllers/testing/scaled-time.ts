import type { ScaledTime } from '../shared/scaled-time.ts';

/** Stands still. */
export const clockAt = (time: string): ScaledTime => ({
  now: () => Date.parse(time),
  millis: (seconds) => seconds * 1000,
});
