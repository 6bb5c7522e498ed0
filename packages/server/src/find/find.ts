/** Finds the one member that has an object whose cluster the request does not name (LIST-7, NAME-6). */

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
  /** For a read that was answered although some members did not answer. */
  warnings: string[];
}

export interface FindAsk {
  ask: ResourceRequest;
  method: string;
  clusters: readonly ClusterName[];
  /** Throws if a member cannot be tried at all. */
  routeTo: (cluster: ClusterName) => Route;
  /** What the cache knows of the object, without a request to the member. */
  knownAt?: ((cluster: ClusterName) => KnownObject | undefined) | undefined;
  /** Whether an unreachable member's last known object may be the answer (CACHE-12). */
  wasAt?: ((cluster: ClusterName) => Promise<boolean>) | undefined;
  signal: AbortSignal;
}

/** `known`: the cache has it. An error: the member must not get the user's name (IMP-5), or rejects the request as invalid. */
type Look = 'has' | 'known' | 'lacks' | 'silent' | StatusError;

const lookDeadline = 5_000;

/** The path of the object itself, also if a subresource of it is requested. Proxies name it as `[scheme:]name[:port]`. */
export function objectPath(ask: ResourceRequest): string {
  const { name = '' } = ask;
  return `${listPath(ask)}/${encodeURIComponent(isProxy(ask) ? splitProxyName(name).name : name)}`;
}

/** A request for a Namespace object has that namespace; a list of them has none. */
const namespaceOf = ({ namespace, resource }: ResourceRequest): string | undefined =>
  resource === 'namespaces' ? undefined : namespace;

/** The name by which it is listed. */
function listPath(ask: ResourceRequest): string {
  const { group, version, resource } = ask;
  const namespace = namespaceOf(ask);
  const root = group ? ['apis', group, version] : ['api', version];
  const within = namespace === undefined ? [] : ['namespaces', namespace];
  return ['', ...root, ...within, resource].map(encodeURIComponent).join('/');
}

/** A list of the object's resource. */
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

/** A GET of the current object, whatever the request does with it. */
export const lookTarget = (
  { body: _, proxied: __, ...target }: PlacelessTarget,
  ask: ResourceRequest,
): PlacelessTarget => ({
  ...target,
  ask: { is: 'resource', ...ask, verb: 'get', subresource: undefined, rest: [] },
  wire: { method: 'GET', path: objectPath(ask), query: '' },
  requestOptions: { ...target.requestOptions, consistent: true },
});

/** A member that refuses counts as not having the object: the user is not allowed to know whether it does. */
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

/** A write must not go to one member while an unreachable one may have an object of the same name. */
export const isRead = ({ method, ask }: FindAsk): boolean =>
  (method === 'GET' || method === 'HEAD') && !streams.has(ask.subresource ?? '');

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

export interface Sought {
  having: ClusterName[];
  /** Members of which the cache has the object, so that no request was sent. */
  known: ClusterName[];
  silent: ClusterName[];
}

/**
 * Members of which the cache knows whether they have the object are not asked. If none has it, all are asked, as it may be
 * newer than the cache (CACHE-8). An unreachable member has it if its last known object can be shown (CACHE-12).
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

/** Which members have the object, and which did not answer. */
export async function seek(request: FindAsk): Promise<Sought> {
  const { clusters } = request;
  const looks = await lookEverywhere(request);
  const those = (...expected: Look[]) => clusters.filter((_, index) => expected.includes(looks[index]!));
  // If every member refuses, so do we; the same if every member rejects the request as invalid (ERR-4).
  const [refused] = looks;
  if (refused instanceof StatusError && looks.every((one) => one instanceof StatusError)) throw refused;
  return { having: those('has', 'known'), known: those('known'), silent: those('silent') };
}

/**
 * Searches again for an object that the cache had in one member, which then answers 404. Undefined if the member still has it, so that
 * the 404 is about something else, or if no member has it.
 */
export async function seekAgain(request: FindAsk, cluster: ClusterName): Promise<Sought | undefined> {
  const live = { ...request, knownAt: undefined };
  if ((await look(live, cluster)) !== 'lacks') return undefined;
  const sought = await seek(live);
  return sought.having.length + sought.silent.length === 0 ? undefined : sought;
}

/** The one member that has the object; otherwise throws. */
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
