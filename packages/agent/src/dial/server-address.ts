/** Parses the address of the fleet, the `--server` of an agent. */

import { type Address, addressOf } from '@fleet/client/dial.ts';
import { withoutEnding } from '@fleet/kube/trim-end.ts';

export interface ServerAddress extends Address {
  /** The URL for SSH inside a WebSocket (AGENT-2). A balancer may serve the fleet below a path. */
  webSocketUrl: string;
}

/** Throws if the text is not an https URL. */
export function parseServer(text: string): ServerAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username || url.password || url.search || url.hash)
    throw new Error(`${JSON.stringify(text)} is not the address of a fleet, which has the form https://host:port`);
  const base = withoutEnding(url.pathname, (sign) => sign === '/');
  return { ...addressOf(url), webSocketUrl: `wss://${url.host}${base}/fleet/agent` };
}
