/** Finds the one member that has a named object whose cluster nobody named (LIST-7, NAME-6). */

import { errorOf } from '@fleet/client/kube-client.ts';
import { acceptFor } from '@fleet/kube/negotiate.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { notFound, StatusError, unavailable } from '@fleet/kube/status.ts';
import type { Route } from '../pass/pass.ts';
import { isProxy, splitProxyName } from '../target/address.ts';
import { suffixOf } from '../target/suffixed-name.ts';
import type { ClusterName, PlacelessTarget } from '../target/target.ts';
import type { KnownObject } from './known-object.ts';

export interface Found {
  cluster: ClusterName;
  /** For a read that was answered though some members were silent. */
  warnings: string[];
}

export interface FindAsk {
  ask: ResourceRequest;
  method: string;
  clusters: readonly ClusterName[];
  /** Throws where a member cannot be tried at all. */
  routeTo: (cluster: ClusterName) => Route;
  /** What is known without asking the member. */
  knownAt?: ((cluster: ClusterName) => KnownObject | undefined) | undefined;
  /** Whether an unreachable member's last known object can be the answer (CACHE-12). */
  wasAt?: ((cluster: ClusterName) => Promise<boolean>) | undefined;
  signal: AbortSignal;
}

/** `known`: the cache has it. An error: a member that must not know the user (IMP-5), or for which the request makes no sense. */
type Look = 'has' | 'known' | 'lacks' | 'silent' | StatusError;

const lookDeadline = 5_000;

/** The object itself, whatever subresource of it is asked for. Proxies are asked for by `[scheme:]name[:port]`. */
export function objectPath(ask: ResourceRequest): string {
  const { name = '' } = ask;
  return `${listPath(ask)}/${encodeURIComponent(isProxy(ask) ? splitProxyName(name).name : name)}`;
}

/** A Namespace object is asked for as one in itself, and listed as one in none. */
const namespaceOf = ({ namespace, resource }: ResourceRequest): string | undefined =>
  resource === 'namespaces' ? undefined : namespace;

/** What it is listed by. */
function listPath(ask: ResourceRequest): string {
  const { group, version, resource } = ask;
  const namespace = namespaceOf(ask);
  const root = group ? ['apis', group, version] : ['api', version];
  const within = namespace === undefined ? [] : ['namespaces', namespace];
  return ['', ...root, ...within, resource].map(encodeURIComponent).join('/');
}

/** A list of the resource that an object is of. */
export const listTarget = (target: PlacelessTarget, ask: ResourceRequest): PlacelessTarget => ({
  ...target,
  ask: {
    is: 'resource',
    ...ask,
    namespace: namespaceOf(ask),
    verb: 'list',
    name: undefined,
    subresource: undefined,
    rest: [],
  },
  wire: { method: 'GET', path: listPath(ask), query: '' },
});

/** The object read as it is now, whatever the request asks of it. */
export const lookTarget = (
  { body: _, proxied: __, ...target }: PlacelessTarget,
  ask: ResourceRequest,
): PlacelessTarget => ({
  ...target,
  ask: { is: 'resource', ...ask, verb: 'get', subresource: undefined, rest: [] },
  wire: { method: 'GET', path: objectPath(ask), query: '' },
  wishes: { ...target.wishes, consistent: true },
});

/** A member that refuses counts as not having it: whether it does is none of the user's business. */
async function look({ ask, routeTo, signal }: FindAsk, cluster: ClusterName): Promise<Look> {
  try {
    const { upstream, identity } = routeTo(cluster);
    const reply = await upstream.call({
      method: 'GET',
      path: objectPath(ask),
      headers: { ...identity, accept: acceptFor('PartialObjectMetadata'), 'user-agent': 'fleet' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(lookDeadline)]),
    });
    if (reply.status === 400 || reply.status === 422) return errorOf(reply.status, await reply.body.refusal());
    reply.body.cancel();
    if (reply.status === 200) return 'has';
    return reply.status === 404 || reply.status === 403 ? 'lacks' : 'silent';
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof StatusError && error.code === 403) return error;
    return 'silent';
  }
}

const streams = new Set(['exec', 'attach', 'portforward']);

/** What changes something must not go to one member while another may have an object of the same name. */
export const isRead = ({ method, ask }: FindAsk): boolean =>
  (method === 'GET' || method === 'HEAD') && !streams.has(ask.subresource ?? '');

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

export interface Sought {
  having: ClusterName[];
  /** Those of them that were not asked: the cache has it. */
  known: ClusterName[];
  silent: ClusterName[];
}

/**
 * The cache tells of a member whether it has the object; only others are asked. Where nobody has it all of them are, as it may
 * be newer than the cache (CACHE-8). An unreachable member has what can be shown of it (CACHE-12).
 */
async function lookEverywhere(request: FindAsk): Promise<Look[]> {
  const { clusters, knownAt, wasAt, signal } = request;
  const unasked = new Set<ClusterName>();
  const looks = await Promise.all(
    clusters.map(async (cluster): Promise<Look> => {
      const isThere = await knownAt?.(cluster)?.isThere(signal);
      if (isThere === false) unasked.add(cluster);
      if (isThere !== undefined) return isThere ? 'known' : 'lacks';
      const seen = await look(request, cluster);
      return seen === 'silent' && (await wasAt?.(cluster)) ? 'has' : seen;
    }),
  );
  if (looks.includes('has') || looks.includes('known')) return looks;
  return Promise.all(clusters.map((cluster, index) => (unasked.has(cluster) ? look(request, cluster) : looks[index]!)));
}

/** Which members have the object, and which did not say. */
export async function seek(request: FindAsk): Promise<Sought> {
  const { clusters } = request;
  const looks = await lookEverywhere(request);
  const those = (...wanted: Look[]) => clusters.filter((_, index) => wanted.includes(looks[index]!));
  // A user whom no member may see at all is refused, not looked for; so is what no member understands (ERR-4).
  const [refused] = looks;
  if (refused instanceof StatusError && looks.every((one) => one instanceof StatusError)) throw refused;
  return { having: those('has', 'known'), known: those('known'), silent: those('silent') };
}

/**
 * Where an object is that the cache had in one member, which answers 404: undefined if it is there all the same, so that the
 * answer is about something else, or nowhere.
 */
export async function seekElsewhere(request: FindAsk, cluster: ClusterName): Promise<Sought | undefined> {
  const live = { ...request, knownAt: undefined };
  if ((await look(live, cluster)) !== 'lacks') return undefined;
  const sought = await seek(live);
  return sought.having.length + sought.silent.length === 0 ? undefined : sought;
}

/** The one member that has the object, or an error. */
export function onlyOne(request: FindAsk, { having, silent }: Pick<Sought, 'having' | 'silent'>): Found {
  const { ask } = request;
  const { resource, group, name = '' } = ask;
  const [cluster] = having;
  if (having.length > 1) throw several(ask, having);
  if (silent.length > 0 && !(cluster !== undefined && isRead(request))) {
    throw unavailable(
      `${resource} "${name}" may be in ${quoted(silent)}, which did not answer: name the cluster, as in "${name}${suffixOf('{cluster}')}"`,
    );
  }
  if (cluster === undefined) throw notFound({ group, resource }, name);
  return { cluster, warnings: silent.map((one) => `cluster "${one}" was not looked in: it did not answer`) };
}

function several({ resource, group, name = '' }: ResourceRequest, having: readonly ClusterName[]): StatusError {
  const names = having.map((cluster) => name + suffixOf(cluster));
  return new StatusError(409, 'Conflict', `${resource} "${name}" is in several clusters: use ${quoted(names)}`, {
    name,
    ...(group ? { group } : {}),
    kind: resource,
  });
}
