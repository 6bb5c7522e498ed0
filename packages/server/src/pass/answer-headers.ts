/** Filters the headers of an answer: a member must not change this server's origin in a browser (SEC-1). */

import type { Headers } from '@fleet/client/upstream.ts';
import { withoutHopByHop } from '../http/hop-by-hop.ts';

/** Headers that a browser would store for this origin, or that open it to others. */
const ofOrigin = new Set([
  'set-cookie',
  'set-cookie2',
  'clear-site-data',
  'service-worker-allowed',
  'strict-transport-security',
  'public-key-pins',
  'public-key-pins-report-only',
  'alt-svc',
  'nel',
  'report-to',
  'reporting-endpoints',
]);

export const isOfOrigin = (name: string): boolean => ofOrigin.has(name) || name.startsWith('access-control-');

/** Media types that no browser executes. */
const inert = new Set([
  'application/json',
  'application/yaml',
  'application/cbor',
  'application/octet-stream',
  'application/vnd.kubernetes.protobuf',
  'text/plain',
]);

/** If there are several types, separated by commas, browsers use the last. */
function isInert(type: Headers[string]): boolean {
  const text = String(type ?? '');
  return !text.includes(',') && inert.has(text.split(';', 1)[0]!.trim().toLowerCase());
}

export interface Answered {
  status: number;
  headers: Headers;
}

/** `open`: the administrator allows pages behind the proxies to run with this server's origin. */
export function answerHeaders({ status, headers }: Answered, proxied: boolean, open: boolean): Headers {
  const kept = withoutHopByHop(headers, (name) => !isOfOrigin(name));
  const hasContent = status !== 204 && status !== 304;
  const isActive = hasContent && !isInert(headers['content-type']);
  if (!proxied && !isActive) return kept;
  const policies = [kept['content-security-policy'] ?? []].flat();
  return {
    ...kept,
    // Added to the page's own policy: of several policies the strictest counts.
    ...(proxied && open ? {} : { 'content-security-policy': [...policies, 'sandbox'] }),
    'x-content-type-options': 'nosniff',
  };
}
