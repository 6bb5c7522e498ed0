/** Parses times as Kubernetes writes them, and as Go's `time.Parse(time.RFC3339)` reads them. */

export interface Rfc3339Time {
  /** Whole seconds since 1970. */
  seconds: number;
  nanos: number;
}

const time = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Undefined if the text is not a time. */
export function parseRfc3339(text: string): Rfc3339Time | undefined {
  const match = time.exec(text);
  if (!match) return undefined;
  const [year, month, day, hours, minutes, seconds] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match.slice(7);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hours, minutes, seconds);
  const isReal =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hours < 24 && minutes < 60 && seconds < 60;
  if (!isReal || Number(offsetHours) > 24 || Number(offsetMinutes) > 59) return undefined;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60 * (sign === '-' ? -1 : 1);
  return { seconds: date.getTime() / 1_000 - offset, nanos: Number(fraction.slice(0, 9).padEnd(9, '0')) };
}

/** Whole milliseconds since 1970, as from `Date.now()`. */
export function rfc3339Millis(text: string): number | undefined {
  const parsed = parseRfc3339(text);
  return parsed && parsed.seconds * 1_000 + Math.floor(parsed.nanos / 1e6);
}
