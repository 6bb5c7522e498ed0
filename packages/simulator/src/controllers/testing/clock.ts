import type { Clock } from '../shared/clock.ts';

/** Stands still. */
export const clockAt = (time: string): Clock => ({ now: () => Date.parse(time), millis: (seconds) => seconds * 1000 });
