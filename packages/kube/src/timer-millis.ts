/** Converts times from outside to what a timer accepts: whole milliseconds of at most 31 bits. */

/** Node uses 1 ms for larger values, and `AbortSignal.timeout` throws at fractions. */
const longest = 2 ** 31 - 1;

/** At least as long as requested, up to 24 days. */
export const timerMillis = (millis: number): number => Math.min(Math.max(Math.ceil(millis), 0), longest);
