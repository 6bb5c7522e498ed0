import type { ScaledTime } from '../shared/scaled-time.ts';

/** The clock stands still. */
export const clockAt = (time: string): ScaledTime => ({
  now: () => Date.parse(time),
  millis: (seconds) => seconds * 1000,
});
