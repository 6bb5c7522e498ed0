/** How large a schema is, without writing it out: that would take as long as what it is asked for. */

/** About as many bytes as JSON needs; stops counting where it is clear. */
export function isLargerThan(value: unknown, bytes: number): boolean {
  let left = bytes;
  const waiting = [value];
  while (waiting.length > 0 && left >= 0) {
    const one = waiting.pop();
    if (typeof one === 'string') left -= one.length + 3;
    else if (typeof one !== 'object' || one === null) left -= 5;
    else {
      left -= 3;
      // One by one: there may be more of them than a call has room for.
      for (const inner of Object.values(one)) waiting.push(inner);
      if (!Array.isArray(one)) for (const key of Object.keys(one)) left -= key.length + 3;
    }
  }
  return left < 0;
}
