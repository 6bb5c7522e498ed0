/** Headers that belong to one connection, not to the message, and those a client may not send on to a member (IMP-4). */

import type { Headers } from '@fleet/client/upstream.ts';

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** What `Connection: a, b` declares to be of this connection. */
function declared(headers: Headers): Set<string> {
  const values = [headers['connection'] ?? []].flat().join(',');
  return new Set(
    values
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean),
  );
}

export function withoutHopByHop(headers: Headers, keep: (name: string) => boolean = () => true): Headers {
  const local = declared(headers);
  const kept: Headers = {};
  for (const name of Object.keys(headers)) {
    if (name.startsWith(':') || hopByHop.has(name) || local.has(name) || !keep(name)) continue;
    kept[name] = headers[name];
  }
  return kept;
}

const ours = new Set(['host', 'authorization', 'cookie', 'expect', 'forwarded']);

/** Identity is ours to state: nothing that claims one comes from a client. */
const fromClient = (name: string): boolean =>
  !ours.has(name) && !name.startsWith('impersonate-') && !name.startsWith('x-remote-');

/** The client's headers as a member may see them. */
export const forwardable = (headers: Headers): Headers => withoutBearerProtocol(withoutHopByHop(headers, fromClient));

const bearerProtocol = 'base64url.bearer.authorization.k8s.io.';

/** Browsers send their token as a WebSocket subprotocol; it is as much the client's own as `Authorization`. */
function withoutBearerProtocol(headers: Headers): Headers {
  const offered = headers['sec-websocket-protocol'];
  if (offered === undefined) return headers;
  const kept = String(offered)
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => !protocol.startsWith(bearerProtocol));
  const { 'sec-websocket-protocol': _, ...others } = headers;
  return kept.length === 0 ? others : { ...others, 'sec-websocket-protocol': kept.join(', ') };
}
