/** Watch events as lines of bytes. Split on 0x0A only: `readline` also splits on U+2028 inside JSON. */

/** The lines that came together. */
export async function* watchBatches(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer[], void, undefined> {
  let partial: Buffer[] = [];
  for await (const chunk of body) {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      const line = chunk.subarray(start, end);
      lines.push(partial.length === 0 ? line : Buffer.concat([...partial, line]));
      partial = [];
      start = end + 1;
    }
    if (start < chunk.length) partial.push(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (partial.length > 0) throw new Error('watch ended within an event');
}

export async function* watchLines(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  for await (const lines of watchBatches(body)) yield* lines;
}
