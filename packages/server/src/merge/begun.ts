/** What fails before the first bytes are there can still be told as an error, and a short answer is whole then. */

export async function begun(body: AsyncGenerator<Buffer, void, undefined>): Promise<Buffer | AsyncIterable<Buffer>> {
  const first = await body.next();
  if (first.done) return Buffer.alloc(0);
  const second = await body.next();
  if (second.done) return first.value;
  const waiting = [first, second];
  // No generator: those that nobody has begun to read do not hear that nobody will.
  const rest: AsyncIterator<Buffer, void, undefined> = {
    next: async () => waiting.shift() ?? body.next(),
    return: () => body.return(),
  };
  return { [Symbol.asyncIterator]: () => rest };
}
