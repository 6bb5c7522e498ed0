/** Parses Go's durations, such as `1h30m` or `-1.5s`, in time linear in their length. */

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** The pattern is unambiguous: a number with two possible matches would double the work with every part (ReDoS). */
const valid = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const part = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;

const longest = 2n ** 63n;
/** More digits do not fit into an int64, or are finer than a nanosecond. */
const mostDigits = 30;

export const isGoDuration = (text: string): boolean => valid.test(text);

/** Returns nanoseconds; undefined if the text is not a duration, or too long for Go's int64. */
export function parseGoDuration(text: string): bigint | undefined {
  if (!valid.test(text)) return undefined;
  let nanos = 0n;
  part.lastIndex = /^[+-]/.test(text) ? 1 : 0;
  for (let found = part.exec(text); found; found = part.exec(text)) {
    const [, whole = '', fraction = '', unit = ''] = found;
    const digits = whole.replace(/^0+/, '');
    if (digits.length > mostDigits) return undefined;
    const finer = fraction.slice(0, mostDigits);
    nanos += BigInt(digits || '0') * units[unit]!;
    if (finer) nanos += (BigInt(finer) * units[unit]!) / 10n ** BigInt(finer.length);
    if (nanos >= longest) return undefined;
  }
  return text.startsWith('-') ? -nanos : nanos;
}
