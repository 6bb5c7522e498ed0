/** Reads the discovery of one place. What has not changed since the last reading is neither sent nor parsed again. */

import type { Upstream } from '@fleet/client/upstream.ts';
import { aggregatedDiscoveryAccept, type GroupDiscoveryList, isGroupDiscoveryList } from '@fleet/kube/discovery.ts';
import { type VersionInfo, versionIn } from './kubernetes-version.ts';
import { digest, type OpenApiIndex, parseIndex } from './openapi/index-document.ts';

interface Tagged<T> {
  /** The tag of its server, which counts for that server alone (SEC-2). */
  etag: string | undefined;
  /** The product's own hash of the bytes, by which equal documents of two places are recognised. */
  digest: string;
  value: T;
}

export interface PlaceFacts {
  core: Tagged<GroupDiscoveryList>;
  groups: Tagged<GroupDiscoveryList>;
  /** Undefined if the place does not report it. */
  openapi: Tagged<OpenApiIndex> | undefined;
  version: VersionInfo | undefined;
}

const untagged = <T>(known: Tagged<T>): Tagged<T> => ({ ...known, etag: undefined });

/** For a place that may have been recreated under the same name: the old tags do not count. */
export const withoutTags = ({ core, groups, openapi, version }: PlaceFacts): PlaceFacts => ({
  core: untagged(core),
  groups: untagged(groups),
  openapi: openapi && untagged(openapi),
  version,
});

export const readDeadline = 5_000;

/** In bytes (SEC-2): about 8,000 resources, 4,000 groups with versions, and a few lines. Responses are parsed and kept. */
const longest = { discovery: 4 * 1024 * 1024, index: 1024 * 1024, version: 64 * 1024 };

/** `alike`: what other places serve. Clusters of one version have nearly equal documents, which are stored once. */
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

/** A place may lack it, or not grant it. The rest still counts. */
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
  if (!isGroupDiscoveryList(document)) throw new Error('the answer is not aggregated discovery');
  return document;
}
