/** What two servers may return differently about the same: times, ids, versions, the order of rules. */

import type { Answered } from './side.ts';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
const digest = /X509SHA256=[0-9a-f]+/g;
const jwt = /[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g;

const byText = (left: unknown, right: unknown): number => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);

/** Lists whose order depends on which binding was seen first. */
const unordered = new Set(['resourceRules', 'nonResourceRules']);

const textOf = (text: string): string =>
  text
    .replace(jwt, (token) => claimsIn(token))
    .replace(uuid, 'UUID')
    .replace(times, 'TIME')
    .replace(digest, 'DIGEST');

/** The claims of a token, with how long it lasts instead of from when. */
function claimsIn(token: string): string {
  const [head, body] = token.split('.', 2).map((part) => JSON.parse(Buffer.from(part!, 'base64url').toString()));
  const { exp, iat, nbf, ...rest } = body;
  return JSON.stringify(sorted({ ...rest, alg: head.alg, lasts: exp - iat, begins: nbf - iat }));
}

const sorted = (value: object): object =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

export function normalised(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) {
    const list = value.map((one) => normalised(one));
    return unordered.has(field) ? list.sort(byText) : list;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'resourceVersion');
  return sorted(Object.fromEntries(entries.map(([key, one]) => [key, normalised(one, key)])));
}

export const comparable = ({ status, body }: Answered): unknown => ({ status, body: normalised(body) });
