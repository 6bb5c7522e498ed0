/** Compresses large answers by kube-apiserver's rules: from 128 KiB, level 1, if the client accepts plain `gzip` (LIST-9). */

import { createGzip, type Gzip } from 'node:zlib';
import { giveBack } from '@fleet/client/chunk-memory.ts';
import type { Headers } from '@fleet/client/upstream.ts';
import type { Reply } from './message.ts';

const threshold = 128 * 1024;
const outputChunk = 64 * 1024;

/** Not for watches: gzip would hold back their first bytes. */
export async function compressed(reply: Reply, client: Headers): Promise<Reply> {
  if (reply.is !== 'plain') return reply;
  const { headers } = reply;
  if (reply.body === undefined || headers['content-encoding'] !== undefined || !acceptsGzip(client)) return reply;
  const body = Buffer.isBuffer(reply.body) ? reply.body : await readAhead(reply.body);
  if (Buffer.isBuffer(body) && body.length <= threshold) return { ...reply, body };
  const vary = [...[headers['vary'] ?? []].flat(), 'Accept-Encoding'];
  const { 'content-length': _, ...rest } = headers;
  return { ...reply, headers: { ...rest, 'content-encoding': 'gzip', vary }, body: gzip(body) };
}

/** Returns a small body whole. Of a large one, it reads only enough to know that it is large. */
async function readAhead(body: AsyncIterable<Buffer>): Promise<Buffer | AsyncIterable<Buffer>> {
  const chunks = body[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  for (let size = 0; size <= threshold; size += read.at(-1)!.length) {
    const next = await chunks.next();
    if (next.done) return Buffer.concat(read);
    read.push(next.value);
  }
  const rest: AsyncIterator<Buffer, void, undefined> = {
    async next() {
      const value = read.shift();
      return value ? { done: false, value } : chunks.next();
    },
    async return() {
      await chunks.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => rest };
}

const acceptsGzip = ({ 'accept-encoding': accepted = [] }: Headers): boolean =>
  [accepted].flat().some((line) => line.split(',').some((token) => token.trim() === 'gzip'));

/** zlib compresses on its own threads. The event loop only passes chunks. */
function gzip(body: Buffer | AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const source = (Buffer.isBuffer(body) ? once(body) : body)[Symbol.asyncIterator]();
  const zip = createGzip({ level: 1, chunkSize: outputChunk });
  // The reader of the compressed bytes gets the error.
  feed(zip, source).catch((error: Error) => void zip.destroy(error));
  const bytes = zip.iterator() as AsyncIterator<Buffer, void, undefined>;
  const rest: AsyncIterator<Buffer, void, undefined> = {
    next: () => bytes.next(),
    async return() {
      zip.destroy();
      // If zlib's output is full, the callback of a write never comes: feeding may wait for ever.
      await Promise.allSettled([source.return?.()]);
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => rest };
}

/** Reads the next chunk while one is compressed. Buffers are reused. */
async function feed(zip: Gzip, source: AsyncIterator<Buffer>): Promise<void> {
  let written = Promise.resolve();
  for await (const chunk of { [Symbol.asyncIterator]: () => source }) {
    await written;
    written = write(zip, chunk);
    // Awaited one chunk later.
    written.catch(() => {});
  }
  await written;
  zip.end();
}

const write = (zip: Gzip, chunk: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    zip.write(chunk, (error) => {
      if (error) {
        reject(error);
        return;
      }
      giveBack(chunk);
      resolve();
    });
  });

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
