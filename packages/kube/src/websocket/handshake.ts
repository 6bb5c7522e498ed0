/** Answers the handshake of a WebSocket. */

import { createHash } from 'node:crypto';
import { badRequest } from '../status.ts';

type Headers = Record<string, string | string[] | undefined>;

const acceptSalt = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The headers of the 101 response. Throws 400 if the request is not a WebSocket handshake. */
export function handshakeHeaders(headers: Headers, protocol: string | undefined): Record<string, string> {
  const { upgrade, 'sec-websocket-key': key, 'sec-websocket-version': version } = headers;
  if (String(upgrade).toLowerCase() !== 'websocket' || typeof key !== 'string' || version !== '13') {
    throw badRequest('not a WebSocket request of version 13');
  }
  return {
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-accept': createHash('sha1')
      .update(key + acceptSalt)
      .digest('base64'),
    ...(protocol === undefined ? {} : { 'sec-websocket-protocol': protocol }),
  };
}
