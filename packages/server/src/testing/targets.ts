/** Targets and requests for tests, parsed by the product's own code. */

import { bodyWork } from '../bodies/body-work.ts';
import type { Incoming } from '../http/message.ts';
import type { Route } from '../pass/pass.ts';
import { readTargetBody } from '../target/body-reading.ts';
import { completeTarget } from '../target/complete.ts';
import { parseTarget } from '../target/parse.ts';
import { nothingRegistered } from '../target/registered.ts';
import type { ClusterName, RawBody, Target } from '../target/target.ts';

/** The target of a request and its body, as the gateway computes it. Every cluster exists. */
export function completed(
  method: string,
  url: string,
  raw?: RawBody,
  isCluster = (_: string) => true,
  registrations = nothingRegistered,
  templates = false,
): Target {
  const parsed = parseTarget(method, url, registrations, templates);
  return completeTarget(parsed, raw && readTargetBody(parsed, raw), isCluster, registrations);
}

/** With a body, which is JSON by default. */
export const targetOf = (method: string, url: string, body?: string, contentType = 'application/json'): Target =>
  completed(method, url, body === undefined ? undefined : { bytes: Buffer.from(body), contentType });

/** With federation on. */
export const templateTargetOf = (method: string, url: string, body?: string, contentType = 'application/json') =>
  completed(
    method,
    url,
    body === undefined ? undefined : { bytes: Buffer.from(body), contentType },
    undefined,
    undefined,
    true,
  );

export const stripAt =
  (cluster: ClusterName): Route['strip'] =>
  async (body) =>
    bodyWork.strip(body, cluster);

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
