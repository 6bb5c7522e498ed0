/** Removes headers of one connection, and those that a client is not allowed to send on to a member (IMP-4). */

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

/** Names that `Connection: a, b` declares as hop-by-hop. */
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

/** Only the product sets identity and address: such headers of a client are dropped. */
const fromClient = (name: string): boolean =>
  !ours.has(name) &&
  !name.startsWith('impersonate-') &&
  !name.startsWith('x-remote-') &&
  !name.startsWith('x-forwarded-');

/** The client's address, as members write it into their audit logs: an IPv4 address as such. */
export function forwardedFor(remoteAddress: string): Headers {
  if (remoteAddress === '') return {};
  const mapped = remoteAddress.startsWith(mappedPrefix) ? remoteAddress.slice(mappedPrefix.length) : '';
  return { 'x-forwarded-for': isIPv4(mapped) ? mapped : remoteAddress };
}

/** An IPv4 address on an IPv6 listener. */
const mappedPrefix = '::ffff:';

/** The client's headers that are sent on to a member. */
export const forwardable = (headers: Headers): Headers => withoutBearerProtocol(withoutHopByHop(headers, fromClient));

/** A browser's token in a WebSocket subprotocol is a client credential like `Authorization`. */
function withoutBearerProtocol(headers: Headers): Headers {
  if (headers['sec-websocket-protocol'] === undefined) return headers;
  const kept = protocolsOf(headers);
  const { 'sec-websocket-protocol': _, ...others } = headers;
  return kept.length === 0 ? others : { ...others, 'sec-websocket-protocol': kept.join(', ') };
}
