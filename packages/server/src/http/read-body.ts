/** Reads a request's body as bytes, within kube-apiserver's limits of size and time (LIMIT-1). */

import type { Readable } from 'node:stream';
import { GrowingBytes } from '@fleet/kube/growing-bytes.ts';
import { badRequest, requestTooLarge, timedOut } from '@fleet/kube/status.ts';
import type { Incoming } from './message.ts';

/** kube-apiserver's `MaxRequestBodyBytes` and `--request-timeout`. */
const limits = { size: 3 * 1024 * 1024, within: 60_000 };

type Asked = Pick<Incoming, 'body' | 'headers' | 'signal'>;

export async function readBody({ body, headers, signal }: Asked, { within = limits.within } = {}): Promise<Buffer> {
  signal.throwIfAborted();
  if (!body) return Buffer.alloc(0);
  if (Number(headers['content-length'] ?? 0) > limits.size) throw requestTooLarge(limits.size);
  const bytes = await wholeOf(body, signal, within);
  // kube-apiserver ignores Content-Encoding and parses the bytes as they are: it refuses them, too, without this reason.
  if (isGzip(bytes)) throw badRequest('the body is compressed, which request bodies must not be');
  return bytes;
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** By events: leaving a loop over the stream would destroy it, and with it the connection that the answer needs. */
function wholeOf(body: Readable, signal: AbortSignal, within: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const bytes = new GrowingBytes(limits.size);
  const onData = (chunk: Buffer) => {
    if (bytes.length + chunk.length <= limits.size) {
      bytes.append(chunk);
      return;
    }
    reject(requestTooLarge(limits.size));
    // At once: a stream with buffered chunks would emit them before the promise is handled.
    body.off('data', onData).pause();
  };
  const onEnd = () => resolve(bytes.take());
  const onClose = () => reject(new Error('the request’s body broke off'));
  const onAbort = () => reject(signal.reason);
  const deadline = setTimeout(() => reject(timedOut('request did not complete within the allotted timeout')), within);
  body.on('data', onData).once('end', onEnd).once('error', reject).once('close', onClose);
  signal.addEventListener('abort', onAbort, { once: true });
  return promise.finally(() => {
    clearTimeout(deadline);
    signal.removeEventListener('abort', onAbort);
    body.off('data', onData).off('end', onEnd).off('close', onClose);
    // `error` keeps its listener: a later error is about a request that was answered.
    body.pause();
  });
}
