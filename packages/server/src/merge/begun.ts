/** Waits for the first bytes of a body: an error before them becomes an error answer, and a short body is sent whole. */

export async function begun(body: AsyncGenerator<Buffer, void, undefined>): Promise<Buffer | AsyncIterable<Buffer>> {
  const first = await body.next();
  if (first.done) return Buffer.alloc(0);
  const second = await body.next();
  if (second.done) return first.value;
  const waiting = [first, second];
  // Not a generator: one that was never started would not run its `finally` when it is ended.
  const rest: AsyncIterator<Buffer, void, undefined> = {
    next: async () => waiting.shift() ?? body.next(),
    return: () => body.return(),
  };
  return { [Symbol.asyncIterator]: () => rest };
}
