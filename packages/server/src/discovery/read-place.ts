/** What one place serves, read with what was known before: what has not changed is neither sent nor parsed again. */

import type { Upstream } from '@fleet/client/upstream.ts';
import { aggregatedDiscoveryAccept, type GroupDiscoveryList, isGroupDiscoveryList } from '@fleet/kube/discovery.ts';
import { type VersionInfo, versionIn } from './kubernetes-version.ts';
import { digest, type OpenApiIndex, parseIndex } from './openapi/index-document.ts';

interface Tagged<T> {
  /** Under which its server knows it: its word for itself alone (SEC-2). */
  etag: string | undefined;
  /** Ours, of the bytes: what is the same in two places. */
  digest: string;
  value: T;
}

export interface PlaceFacts {
  core: Tagged<GroupDiscoveryList>;
  groups: Tagged<GroupDiscoveryList>;
  /** Undefined where the place does not say. */
  openapi: Tagged<OpenApiIndex> | undefined;
  version: VersionInfo | undefined;
}

const untagged = <T>(known: Tagged<T>): Tagged<T> => ({ ...known, etag: undefined });

/** For a place that may be another one than before under the same name: its tags are not those of the last. */
export const withoutTags = ({ core, groups, openapi, version }: PlaceFacts): PlaceFacts => ({
  core: untagged(core),
  groups: untagged(groups),
  openapi: openapi && untagged(openapi),
  version,
});

export const readDeadline = 5_000;

/** In bytes (SEC-2): about 8,000 resources, 4,000 groups with versions, and a few lines. What is read is parsed and kept. */
const longest = { discovery: 4 * 1024 * 1024, index: 1024 * 1024, version: 64 * 1024 };

/** `alike`: what other places serve. Clusters of one version say much the same, and so it is held once. */
export async function readPlace(
  upstream: Upstream,
  last: PlaceFacts | undefined,
  alike: readonly PlaceFacts[],
): Promise<PlaceFacts> {
  const signal = AbortSignal.timeout(readDeadline);
  const ask = { upstream, signal };
  const [core, groups, openapi, version] = await Promise.all([
    read(ask, '/api', {
      last: last?.core,
      alike: alike.map((one) => one.core),
      limit: longest.discovery,
      parse: parseDiscovery,
    }),
    read(ask, '/apis', {
      last: last?.groups,
      alike: alike.map((one) => one.groups),
      limit: longest.discovery,
      parse: parseDiscovery,
    }),
    optional(
      read(ask, '/openapi/v3', {
        last: last?.openapi,
        alike: alike.flatMap((one) => one.openapi ?? []),
        limit: longest.index,
        parse: parseIndex,
      }),
    ),
    optional(
      read(ask, '/version', {
        last: undefined,
        alike: [],
        limit: longest.version,
        parse: (bytes) => versionIn(parseJson(bytes)),
      }),
    ),
  ]);
  return { core, groups, openapi, version: version?.value };
}

class NotServedError extends Error {}

interface Reading<T> {
  last: Tagged<T> | undefined;
  alike: readonly Tagged<T>[];
  limit: number;
  parse: (bytes: Buffer) => T;
}

async function read<T>(
  { upstream, signal }: { upstream: Upstream; signal: AbortSignal },
  path: string,
  { last, alike, limit, parse }: Reading<T>,
): Promise<Tagged<T>> {
  const reply = await upstream.call({
    method: 'GET',
    path,
    headers: {
      accept: path.startsWith('/api') ? aggregatedDiscoveryAccept : 'application/json',
      'user-agent': 'fleet',
      ...(last?.etag ? { 'if-none-match': last.etag } : {}),
    },
    signal,
  });
  const bytes = await reply.body.bytes(Math.min(limit, reply.body.memory.objectLimit));
  if (reply.status === 304 && last?.etag) return last;
  if (reply.status === 403 || reply.status === 404) throw new NotServedError(`${path} answered ${reply.status}`);
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`);
  const etag = [reply.headers['etag'] ?? []].flat()[0];
  const ours = digest(bytes);
  const same = [last, ...alike].find((known) => known?.digest === ours);
  return { etag, digest: ours, value: same ? same.value : parse(bytes) };
}

/** A place may be without it, or not grant it: the rest counts. */
async function optional<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotServedError) return undefined;
    throw error;
  }
}

const parseJson = <T>(bytes: Buffer): T => JSON.parse(bytes.toString()) as T;

function parseDiscovery(bytes: Buffer): GroupDiscoveryList {
  const document = parseJson<unknown>(bytes);
  if (!isGroupDiscoveryList(document)) throw new Error('gave no aggregated discovery');
  return document;
}
