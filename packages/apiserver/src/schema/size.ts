/** Estimates the size of a schema without serializing it, which would take as long as the work to be avoided. */

/** Approximately the bytes of its JSON; stops counting at the limit. */
export const isLargerThan = (value: unknown, bytes: number): boolean => exceeds(value, bytes, () => false);

/** Without descriptions, which decoding, validation and merging do not use. */
export const isHeavierThan = (schema: unknown, bytes: number): boolean => exceeds(schema, bytes, isProse);

/** Objects may have fields with these names, whose value is a schema. */
export const prose = ['description', 'title'] as const;

const isProse = (key: string, value: unknown): boolean =>
  typeof value === 'string' && (prose as readonly string[]).includes(key);

function exceeds(value: unknown, bytes: number, isIgnored: (key: string, value: unknown) => boolean): boolean {
  let left = bytes;
  const waiting = [value];
  while (waiting.length > 0 && left >= 0) {
    const one = waiting.pop();
    if (typeof one === 'string') left -= one.length + 3;
    else if (typeof one !== 'object' || one === null) left -= 5;
    else {
      left -= 3;
      // In a loop, as there may be more of them than a call accepts arguments.
      if (Array.isArray(one)) for (const inner of one) waiting.push(inner);
      else {
        for (const [key, inner] of Object.entries(one)) {
          if (isIgnored(key, inner)) continue;
          left -= key.length + 3;
          waiting.push(inner);
        }
      }
    }
  }
  return left < 0;
}
