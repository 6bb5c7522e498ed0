/** Compresses large answers of our own, by kube-apiserver's rules: from 128 KiB, level 1, for who says just `gzip` (LIST-9). */

import { createGzip, type Gzip } from 'node:zlib';
import { giveBack } from '@fleet/client/chunk-memory.ts';
import type { Headers } from '@fleet/client/upstream.ts';
import type { Reply } from './message.ts';

const threshold = 128 * 1024;
const outputChunk = 64 * 1024;

/** Watches must not come this way: the first bytes wait for more of them. */
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

/** A small body whole; of a large one as much as it takes to know that it is. */
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

/** zlib's streams work in threads of their own; the loop only hands over. */
function gzip(body: Buffer | AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const source = (Buffer.isBuffer(body) ? once(body) : body)[Symbol.asyncIterator]();
  const zip = createGzip({ level: 1, chunkSize: outputChunk });
  // Whoever reads the compressed bytes gets the error.
  feed(zip, source).catch((error: Error) => void zip.destroy(error));
  const bytes = zip.iterator() as AsyncIterator<Buffer, void, undefined>;
  const rest: AsyncIterator<Buffer, void, undefined> = {
    next: () => bytes.next(),
    async return() {
      zip.destroy();
      // What zlib holds back because its output is full is never called back: feeding may wait for ever.
      await Promise.allSettled([source.return?.()]);
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => rest };
}

/** While one chunk is compressed, the next is made. The memory of those that are through is used again. */
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
