/** Refuses heads of HTTP/1.1 that Node's parser accepts and Go's server, and so kube-apiserver, does not (IMP-4). */

import type { Headers } from '@fleet/client/upstream.ts';
import { badRequest, StatusError } from '@fleet/kube/status.ts';

/** Kubernetes has no reasons for these two. */
export const unknownEncoding = new StatusError(501, '', 'unsupported transfer encoding');
export const unknownVersion = new StatusError(505, '', 'unsupported protocol version');

/** Go's `ValidHostHeader`: the characters that are valid in a host, at any position. */
const host = /^[\w!$%&()*+,.:;=[\]'~-]*$/;

/** The error for such a head; undefined if it is valid. */
export function refusedHead(httpVersion: string, headers: Headers): StatusError | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return unknownVersion;
  if (Array.isArray(headers['host'])) return badRequest('too many Host headers');
  if (!host.test(headers['host'] ?? '')) return badRequest('malformed Host header');
  const encoding = headers['transfer-encoding'];
  // Any other encoding would have to be decoded to know the length of the body, and only chunked bodies are forwarded.
  const isChunked = typeof encoding === 'string' && encoding.toLowerCase() === 'chunked';
  return encoding === undefined || isChunked ? undefined : unknownEncoding;
}
