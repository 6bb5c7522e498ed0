/** Heads of HTTP/1.1 that Node's parser lets through and Go's server, which speaks for kube-apiserver, does not (IMP-4). */

import type { Headers } from '@fleet/client/upstream.ts';
import { badRequest, StatusError } from '@fleet/kube/status.ts';

/** Kubernetes has no reasons for these two. */
export const unknownEncoding = new StatusError(501, '', 'unsupported transfer encoding');
export const unknownVersion = new StatusError(505, '', 'unsupported protocol version');

/** Go's `ValidHostHeader`: what may stand in a host, wherever it stands. */
const host = /^[\w!$%&()*+,.:;=[\]'~-]*$/;

/** Why a request is refused before anybody looks at it. */
export function refusedHead(httpVersion: string, headers: Headers): StatusError | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return unknownVersion;
  if (Array.isArray(headers['host'])) return badRequest('too many Host headers');
  if (!host.test(headers['host'] ?? '')) return badRequest('malformed Host header');
  const encoding = headers['transfer-encoding'];
  // Any other would have to be undone before the length of the body is known, and what we forward is chunked alone.
  const isChunked = typeof encoding === 'string' && encoding.toLowerCase() === 'chunked';
  return encoding === undefined || isChunked ? undefined : unknownEncoding;
}
