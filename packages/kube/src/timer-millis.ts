/** Times that others give, as a timer takes them: whole milliseconds, no more than 31 bits. */

/** Node makes 1 ms of more than that, and `AbortSignal.timeout` throws at fractions. */
const longest = 2 ** 31 - 1;

/** At least as long as asked for, up to 24 days. */
export const timerMillis = (millis: number): number => Math.min(Math.max(Math.ceil(millis), 0), longest);
