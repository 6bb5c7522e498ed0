/** Splits a watch into events, as lines of bytes. Only 0x0A ends a line: `readline` also splits on U+2028 inside JSON. */

import { unshared } from './answer-memory.ts';
import { GrowingBytes, TooLargeError } from './growing-bytes.ts';

/** Yields the lines that arrived together. Throws at a line that is too long (SEC-2). */
export async function* watchBatches(
  body: AsyncIterable<Buffer>,
  memory = unshared,
): AsyncGenerator<Buffer[], void, undefined> {
  const limit = memory.objectLimit;
  const lease = memory.lease();
  using partial = new GrowingBytes(limit, lease);
  for await (const chunk of body) {
    const waiting = lease.admitted();
    if (waiting) await waiting;
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      const line = chunk.subarray(start, end);
      if (line.length > limit) throw new TooLargeError(limit);
      if (partial.length > 0) {
        partial.append(line);
        lines.push(partial.take());
      } else lines.push(line);
      start = end + 1;
    }
    if (start < chunk.length) partial.append(chunk.subarray(start));
    if (lines.length === 0) continue;
    yield lines;
    partial.releaseTaken();
  }
  if (partial.length > 0) throw new Error('watch ended within an event');
}

export async function* watchLines(
  body: AsyncIterable<Buffer>,
  memory = unshared,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const lines of watchBatches(body, memory)) yield* lines;
}
