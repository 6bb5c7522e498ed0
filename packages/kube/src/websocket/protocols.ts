/** The subprotocols that a client offers for a WebSocket; the token of a browser, which cannot set headers, is among them. */

type Headers = Record<string, string | string[] | undefined>;

export const bearerPrefix = 'base64url.bearer.authorization.k8s.io.';

export const isBearer = (protocol: string): boolean => protocol.startsWith(bearerPrefix);

export const offeredProtocols = (headers: Headers): string[] =>
  [headers['sec-websocket-protocol'] ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .map((protocol) => protocol.trim());

/** Those that the two sides may agree on: a token is nothing to answer with. */
export const protocolsOf = (headers: Headers): string[] =>
  offeredProtocols(headers).filter((protocol) => protocol !== '' && !isBearer(protocol));
