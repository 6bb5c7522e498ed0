/** How large a schema is, without writing it out: that would take as long as what it is asked for. */

/** About as many bytes as JSON needs; stops counting where it is clear. */
export const isLargerThan = (value: unknown, bytes: number): boolean => exceeds(value, bytes, () => false);

/** As many bytes without what only people read: objects are read, checked and merged by the rest. */
export const isHeavierThan = (schema: unknown, bytes: number): boolean => exceeds(schema, bytes, isProse);

/** Fields of objects may have these names, too: their value is a schema. */
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
      // One by one: there may be more of them than a call has room for.
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
