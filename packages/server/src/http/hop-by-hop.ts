/** Headers that belong to one connection, not to the message, and those a client may not send on to a member (IMP-4). */

import { isIPv4 } from 'node:net';
import type { Headers } from '@fleet/client/upstream.ts';
import { protocolsOf } from '@fleet/kube/websocket/protocols.ts';

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
  const kept: Headers = Object.create(null);
  for (const name of Object.keys(headers)) {
    if (name.startsWith(':') || hopByHop.has(name) || local.has(name) || !keep(name)) continue;
    kept[name] = headers[name];
  }
  return kept;
}

const ours = new Set([
  'host',
  'authorization',
  'x-kubesphere-authorization',
  'cookie',
  'expect',
  'forwarded',
  'x-real-ip',
]);

/** Identity and address are ours to state: nothing that claims one comes from a client. */
const fromClient = (name: string): boolean =>
  !ours.has(name) &&
  !name.startsWith('impersonate-') &&
  !name.startsWith('x-remote-') &&
  !name.startsWith('x-forwarded-');

/** Where a request comes from, as members write it into their audit logs: an IPv4 address as such. */
export function forwardedFor(remoteAddress: string): Headers {
  if (remoteAddress === '') return {};
  const mapped = remoteAddress.startsWith(mappedPrefix) ? remoteAddress.slice(mappedPrefix.length) : '';
  return { 'x-forwarded-for': isIPv4(mapped) ? mapped : remoteAddress };
}

/** Of an IPv4 address where IPv6 is listened on. */
const mappedPrefix = '::ffff:';

/** The client's headers as a member may see them. */
export const forwardable = (headers: Headers): Headers => withoutBearerProtocol(withoutHopByHop(headers, fromClient));

/** Browsers send their token as a WebSocket subprotocol; it is as much the client's own as `Authorization`. */
function withoutBearerProtocol(headers: Headers): Headers {
  if (headers['sec-websocket-protocol'] === undefined) return headers;
  const kept = protocolsOf(headers);
  const { 'sec-websocket-protocol': _, ...others } = headers;
  return kept.length === 0 ? others : { ...others, 'sec-websocket-protocol': kept.join(', ') };
}
