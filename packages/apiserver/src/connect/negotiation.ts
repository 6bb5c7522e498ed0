/** Negotiates the protocol of an upgrade, with the errors of Kubernetes' servers. */

import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { handshakeHeaders } from '@fleet/kube/websocket/handshake.ts';
import { protocolsOf } from '@fleet/kube/websocket/protocols.ts';
import { type ApiReply, type ApiRequest, type Headers, jsonReply, oneHeader } from '../http/message.ts';

export const isWebSocket = (request: ApiRequest): boolean =>
  request.isUpgrade === true && oneHeader(request, 'upgrade')?.toLowerCase() === 'websocket';

type Carrier = 'spdy' | 'websocket';

/** Throws if the request is not an upgrade, or is one to an unknown protocol. */
export function carrierOf(request: ApiRequest): Carrier {
  if (!request.isUpgrade) throw badRequest('Upgrade request required');
  if (isWebSocket(request)) return 'websocket';
  if (oneHeader(request, 'upgrade')?.toLowerCase().includes('spdy/3.1')) return 'spdy';
  throw badRequest('unable to upgrade: missing upgrade headers in request');
}

const protocolHeader = 'X-Stream-Protocol-Version';

type Agreed = { protocol: string; headers: Headers } | { refused: ApiReply };

/** The first of the client's protocols that the server supports. */
export function agreeOnSpdy(request: ApiRequest, known: readonly string[]): Agreed {
  const header = oneHeader(request, protocolHeader.toLowerCase());
  if (header === undefined) {
    const count = Object.keys(request.headers).length;
    throw badRequest(`unable to upgrade: header ${protocolHeader} does not exist in request with ${count} headers`);
  }
  return agreeOnOne(
    header
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
    known,
  );
}

export function agreeOnOne(offered: readonly string[], known: readonly string[]): Agreed {
  if (offered.length === 0) {
    throw badRequest(`unable to upgrade: header ${protocolHeader} contains [], but no valid protocols`);
  }
  const protocol = offered.find((one) => known.includes(one));
  if (protocol !== undefined) {
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', [protocolHeader.toLowerCase()]: protocol };
    return { protocol, headers };
  }
  const why = `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${known.join(' ')}]`;
  const { headers, ...reply } = jsonReply(403, new StatusError(403, 'Forbidden', why, {}).toStatus());
  return { refused: { ...reply, headers: { ...headers, 'x-accepted-stream-protocol-versions': [...known] } } };
}

/** `known` contains an empty text if the client need not name a protocol. */
export function agreeOnWebSocket(
  { headers }: ApiRequest,
  known: readonly string[],
): { protocol: string; headers: Headers } {
  const offered = protocolsOf(headers);
  const protocol = (offered.length > 0 ? offered : ['']).find((one) => known.includes(one));
  if (protocol === undefined) {
    const why = `requested protocol(s) are not supported: [${offered.join(' ')}]; supports [${known.join(' ')}]`;
    throw new StatusError(403, 'Forbidden', why, {});
  }
  return { protocol, headers: handshakeHeaders(headers, protocol || undefined) };
}

/** The protocols of SPDY within a WebSocket; undefined if the client offers none. */
export function tunnelledProtocols({ headers }: ApiRequest): string[] | undefined {
  const tunnelled = protocolsOf(headers).filter((one) => one.startsWith(tunnelPrefix) && one.endsWith('.k8s.io'));
  return tunnelled.length > 0 ? tunnelled.map((one) => one.slice(tunnelPrefix.length)) : undefined;
}

export const tunnelPrefix = 'SPDY/3.1+';

export const upgraded = (headers: Headers, takeOver: NonNullable<ApiReply['takeOver']>): ApiReply => ({
  status: 101,
  headers,
  body: Buffer.alloc(0),
  takeOver,
});
