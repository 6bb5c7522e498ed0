/** Targets and requests for tests, made by the parser itself. */

import type { Incoming } from '../http/message.ts';
import { completeTarget } from '../target/complete.ts';
import { parseTarget } from '../target/parse.ts';
import type { Target } from '../target/target.ts';

/** With a body, as JSON unless said otherwise; every cluster is known. */
export const targetOf = (method: string, url: string, body?: string, contentType = 'application/json'): Target =>
  completeTarget(
    parseTarget(method, url),
    body === undefined ? undefined : { bytes: Buffer.from(body), contentType },
    () => true,
  );

export const incomingOf = (method: string, url: string, more: Partial<Incoming> = {}): Incoming => ({
  id: 'test',
  method,
  url,
  headers: {},
  body: undefined,
  upgrade: false,
  certificate: undefined,
  untrustedCertificate: false,
  remoteAddress: '127.0.0.1',
  traffic: { sent: 0 },
  signal: new AbortController().signal,
  ...more,
});
