/** Parses the subprotocols that a client offers; a browser, which cannot set headers, sends its bearer token among them. */

type Headers = Record<string, string | string[] | undefined>;

export const bearerPrefix = 'base64url.bearer.authorization.k8s.io.';

export const isBearer = (protocol: string): boolean => protocol.startsWith(bearerPrefix);

export const offeredProtocols = (headers: Headers): string[] =>
  [headers['sec-websocket-protocol'] ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .map((protocol) => protocol.trim());

/** The subprotocols that can be agreed on, which excludes the token. */
export const protocolsOf = (headers: Headers): string[] =>
  offeredProtocols(headers).filter((protocol) => protocol !== '' && !isBearer(protocol));
