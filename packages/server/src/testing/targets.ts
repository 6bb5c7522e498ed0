/** Targets and requests for tests, made by the parser itself. */

import type { Incoming } from '../http/message.ts';
import { completeTarget } from '../target/complete.ts';
import { parseTarget } from '../target/parse.ts';
import type { Target } from '../target/target.ts';

export const targetOf = (method: string, url: string): Target => completeTarget(parseTarget(method, url));

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
