/** The token of a browser, which cannot set headers for a WebSocket: it comes as one of the subprotocols, in base64url. */

import { isUtf8 } from 'node:buffer';
import type { Headers } from '@fleet/client/upstream.ts';
import { unauthorized } from '@fleet/kube/status.ts';
import { bearerPrefix, isBearer, offeredProtocols } from '@fleet/kube/websocket/protocols.ts';

/** Undefined: there is none. Throws 401 for one that is empty, is no base64url, or stands beside another. */
export function tokenInProtocols(headers: Headers): string | undefined {
  const [first, ...others] = offeredProtocols(headers).filter(isBearer);
  if (first === undefined) return undefined;
  const text = first.slice(bearerPrefix.length);
  const token = Buffer.from(text, 'base64url');
  // Node passes over what is no base64url, Go does not.
  if (others.length > 0 || text === '' || token.toString('base64url') !== text || !isUtf8(token)) throw unauthorized();
  return token.toString();
}
