/** Compresses large answers of our own, by kube-apiserver's rules: from 128 KiB, level 1, for who says just `gzip` (LIST-9). */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Headers } from '@fleet/client/upstream.ts';
import type { Reply } from './message.ts';

const threshold = 128 * 1024;
const outputChunk = 64 * 1024;

/** A body that is no Buffer counts as large: whoever makes one knows that it is. Watches must not come this way. */
export function compressed(reply: Reply, client: Headers): Reply {
  if (reply.is !== 'plain') return reply;
  const { body, headers } = reply;
  if (body === undefined || headers['content-encoding'] !== undefined || !acceptsGzip(client)) return reply;
  if (Buffer.isBuffer(body) && body.length <= threshold) return reply;
  const vary = [...[headers['vary'] ?? []].flat(), 'Accept-Encoding'];
  const { 'content-length': _, ...rest } = headers;
  return { ...reply, headers: { ...rest, 'content-encoding': 'gzip', vary }, body: gzip(body) };
}

const acceptsGzip = ({ 'accept-encoding': accepted = [] }: Headers): boolean =>
  [accepted].flat().some((line) => line.split(',').some((token) => token.trim() === 'gzip'));

/** zlib's streams work in threads of their own; the loop only hands over. */
function gzip(body: Buffer | AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const source = Buffer.isBuffer(body) ? Readable.from([body]) : Readable.from(body);
  const zip = createGzip({ level: 1, chunkSize: outputChunk });
  const piped = pipeline(source, zip);
  // Whoever reads the compressed bytes is told by them.
  piped.catch(() => {});
  const bytes = zip.iterator() as AsyncIterator<Buffer, void, undefined>;
  const rest: AsyncIterator<Buffer, void, undefined> = {
    next: () => bytes.next(),
    async return() {
      zip.destroy();
      await piped.catch(() => {});
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => rest };
}
