/** Requests from a seed: the same number is always the same request, whatever came before it. */

import { Random } from '@fleet/differential/random.ts';
import { bodyOf } from './bodies.ts';
import { kindOf } from './kinds.ts';
import { pathOf } from './paths.ts';
import { queryOf } from './queries.ts';
import type { FuzzRequest } from './request.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const accepts: readonly (readonly [number, string | undefined])[] = [
  ...([
    [8, 'application/json'],
    [2, undefined],
    [3, table],
    [2, partial],
    [2, '*/*'],
    [2, `${table},application/json`],
  ] as const),
  ...([
    [1, 'application/vnd.kubernetes.protobuf'],
    [1, 'application/yaml'],
    [0.5, 'application/cbor'],
  ] as const),
  ...([
    [0.5, 'nonsense'],
    [0.5, ''],
    [0.5, 'image/png'],
    [0.5, 'application/json;as=Nonsense;v=v1;g=meta.k8s.io'],
  ] as const),
  ...([
    [0.5, 'application/json;q=0'],
    [0.3, `${'a/b,'.repeat(2_000)}*/*`],
    [0.5, table.replace('v1', 'v9')],
  ] as const),
];

const oddHeaders: readonly Record<string, string>[] = [
  { 'accept-encoding': 'gzip' },
  { 'accept-encoding': 'nonsense, *;q=0' },
  { 'content-encoding': 'gzip' },
  { 'x-remote-user': 'system:admin', 'x-remote-group': 'system:masters' },
  { 'impersonate-user': 'alice' },
  { 'impersonate-group': 'system:masters' },
  { expect: '100-continue' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-1' },
  { cookie: 'a=b' },
  { 'kubectl-command': '\u00e9' },
];

const methods: readonly (readonly [number, string])[] = [
  ...([
    [50, 'GET'],
    [14, 'POST'],
    [9, 'PUT'],
    [14, 'PATCH'],
    [6, 'DELETE'],
    [2, 'HEAD'],
    [1, 'OPTIONS'],
  ] as const),
  ...([
    [0.5, 'PROPFIND'],
    [0.5, 'TRACE'],
  ] as const),
];

export function requestOf(seed: string, index: number): FuzzRequest {
  const random = new Random(`${seed}/${index}`);
  const method = random.weighted(methods);
  const kind = kindOf(random);
  const named = method === 'POST' ? random.chance(0.15) : method === 'GET' ? random.chance(0.5) : random.chance(0.93);
  const { path, query } = pathOf(random, kind, named);
  const queries = [query, queryOf(random)].filter(Boolean).join('&');
  const accept = random.weighted(accepts);
  const headers: Record<string, string> = { 'user-agent': userAgent(index) };
  if (accept !== undefined) headers['accept'] = accept;
  if (random.chance(0.05)) Object.assign(headers, random.pick(oddHeaders));
  const target = queries || random.chance(0.02) ? `${path}?${queries}` : path;
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) || random.chance(method === 'DELETE' ? 0.4 : 0.02);
  if (!hasBody) return { index, method, target, headers };
  const { contentType, bytes } = bodyOf(random, kind, method);
  if (contentType !== undefined) headers['content-type'] = contentType;
  return { index, method, target, headers, body: bytes };
}

/** It links a member's audit log entry to its request. */
export const userAgent = (index: number): string => `bad-input/${index}`;
