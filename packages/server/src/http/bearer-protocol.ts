/** Reads a bearer token from the WebSocket subprotocols, in base64url: browsers cannot set headers for a WebSocket. */

import { isUtf8 } from 'node:buffer';
import type { Headers } from '@fleet/client/upstream.ts';
import { unauthorized } from '@fleet/kube/status.ts';
import { bearerPrefix, isBearer, offeredProtocols } from '@fleet/kube/websocket/protocols.ts';

/** Undefined if there is none. Throws 401 if it is empty, is not base64url, or occurs twice. */
export function tokenInProtocols(headers: Headers): string | undefined {
  const [first, ...others] = offeredProtocols(headers).filter(isBearer);
  if (first === undefined) return undefined;
  const text = first.slice(bearerPrefix.length);
  const token = Buffer.from(text, 'base64url');
  // Node skips invalid base64url, Go refuses it.
  if (others.length > 0 || text === '' || token.toString('base64url') !== text || !isUtf8(token)) throw unauthorized();
  return token.toString();
}
