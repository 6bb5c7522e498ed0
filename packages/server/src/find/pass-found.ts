/** A name without a cluster: looked for in all members, then passed to the one that has it (LIST-7, NAME-6, NAME-10). */

import { abortingWith } from '@fleet/client/abort.ts';
import { applyPatch } from '@fleet/kube/request-body.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { noSuchResource } from '@fleet/kube/status.ts';
import { warningHeader } from '@fleet/kube/warning.ts';
import type { Incoming, Reply } from '../http/message.ts';
import { pass, type Route } from '../pass/pass.ts';
import { splitProxyName } from '../target/address.ts';
import { mustNameCluster, mustNameClusterToWrite } from '../target/must-name-cluster.ts';
import { suffixOf } from '../target/suffixed-name.ts';
import type { ClusterName, PlacelessTarget, View } from '../target/target.ts';
import { type FindAsk, isRead, listTarget, lookTarget, onlyOne, seek, seekElsewhere } from './find.ts';
import type { KnownObject } from './known-object.ts';
import { resumesMerged, withOwnVersion } from './own-version.ts';

export interface PassFoundAsk {
  target: PlacelessTarget;
  clusters: readonly ClusterName[];
  /** How a list by name is shown that none or several have. */
  otherwise?: View | undefined;
  /** What changes something has to say where: nothing is looked for then. */
  requireCluster: boolean;
  /** Throws where a member cannot be tried at all. */
  routeTo: (cluster: ClusterName) => Route;
  /** The way on which one is looked for the object; like `routeTo` where left out. */
  lookIn?: (cluster: ClusterName, target: PlacelessTarget) => Route;
  /** What is known of the object that a target names, without asking the member. */
  knownAt?: (cluster: ClusterName, target: PlacelessTarget) => KnownObject | undefined;
  /** Where clusters stand, by a target that lists. Members that cannot tell are left out; never rejects. */
  positionsBy?: (target: PlacelessTarget) => Promise<ReadonlyMap<ClusterName, string>>;
  /** A list by name that none or several have is one over all of them. */
  merged: (view: View) => Promise<Reply>;
  incoming: Incoming;
}

export async function passFound(found: PassFoundAsk): Promise<Reply> {
  const { target, clusters, otherwise, routeTo, merged, incoming } = found;
  const { ask, wire, body } = target;
  // Only named requests for resources are placed so.
  if (ask.is !== 'resource') throw noSuchResource();
  if (otherwise && resumesMerged(target)) return merged(otherwise);
  const looking = lookTarget(target, ask);
  const isApply = body?.read?.contentType === applyPatch;
  const request: FindAsk = {
    ask,
    method: wire.method,
    clusters,
    routeTo: (cluster) => found.lookIn?.(cluster, looking) ?? routeTo(cluster),
    // An apply would make anew what has been deleted since the cache heard of it.
    knownAt: isApply ? undefined : (cluster) => found.knownAt?.(cluster, target),
    wasAt: async (cluster) => {
      if (ask.verb !== 'get') return false;
      const known = found.knownAt?.(cluster, withOwnVersion(target, cluster));
      return (await known?.wasThere(incoming.signal)) ?? false;
    },
    signal: incoming.signal,
  };
  const writes = !isRead(request);
  if (writes && found.requireCluster) throw mustNameClusterToWrite(ask.name ?? '', wire.path);
  const positions = showsMap(target) ? found.positionsBy?.(listTarget(target, ask)) : undefined;
  const sought = await seek(request);
  const isNowhere = sought.having.length + sought.silent.length === 0;
  const isElsewhere = sought.having.length > 1 || isNowhere;
  if (otherwise && isElsewhere) return merged(otherwise);
  // An apply would make what is nowhere yet.
  if (isNowhere && isApply) throw mustNameCluster(target);
  const send = async (cluster: ClusterName, signal: AbortSignal) => {
    const route = positions ? { ...routeTo(cluster), positions: await positions } : routeTo(cluster);
    return pass(route, redirectedTo(cluster, withOwnVersion(target, cluster)), { ...incoming, signal });
  };
  const first = onlyOne(request, sought);
  const given = abortingWith(incoming.signal);
  const answer = await send(first.cluster, given.signal);
  const mayHaveLeft = answer.is === 'plain' && answer.status === 404 && sought.known.includes(first.cluster);
  // A body that went on unread cannot be sent twice.
  const elsewhere = mayHaveLeft && (body || !incoming.body) ? await seekElsewhere(request, first.cluster) : undefined;
  if (elsewhere) given.abort(new Error('the object is in another cluster by now'));
  const { cluster, warnings } = elsewhere ? onlyOne(request, elsewhere) : first;
  const reply = elsewhere ? await send(cluster, incoming.signal) : answer;
  // A stream has no reader for warnings, and where plain names are what everybody writes nobody reads them.
  const tells = writes && reply.is === 'plain' && !target.registered;
  return warned(reply, tells ? [...warnings, foundIn(cluster, ask)] : warnings);
}

/** Subresources that have the object's own version. */
const sameVersion: ReadonlySet<string | undefined> = new Set([undefined, 'status', 'scale']);

/** RV-4. */
const showsMap = ({ view, ask }: PlacelessTarget): boolean =>
  view.versions === 'maps' && ask.is === 'resource' && ask.verb === 'get' && sameVersion.has(ask.subresource);

/** Whoever follows a redirect of what was found stays in its cluster: by the plain name it would be looked for anew (SEC-1). */
function redirectedTo(cluster: ClusterName, target: PlacelessTarget): PlacelessTarget {
  if (!target.proxied) return target;
  const { inner, outer } = target.proxied;
  // Whoever may use the aggregation endpoint may not be allowed to use another: there the name says the cluster.
  if (target.registered)
    return { ...target, proxied: { inner, outer: withCluster(outer, cluster, target), query: '' } };
  const prefix = target.view.annotated
    ? `/apis/cluster.karmada.io/v1alpha1/clusters/${cluster}/proxy`
    : `/clusterspaces/${cluster}`;
  return { ...target, proxied: { inner, outer: `${prefix}${inner}`, query: '' } };
}

/** The name is the last segment but `proxy`, which the old paths have in front. */
function withCluster(path: string, cluster: ClusterName, { ask }: PlacelessTarget): string {
  const segments = path.split('/');
  const at = ask.is === 'resource' && ask.verb === 'proxy' ? -1 : -2;
  const { name, rebuild } = splitProxyName(decodeURIComponent(segments.at(at) ?? ''));
  const suffixed = rebuild(name + suffixOf(cluster));
  return segments.with(at, encodeURIComponent(suffixed).replaceAll('%3A', ':')).join('/');
}

/** Whoever typed a plain name learns what was changed: another member may get an object of that name tomorrow. */
const foundIn = (cluster: ClusterName, { resource, name = '' }: ResourceRequest): string =>
  `${resource} "${name}" was found in cluster "${cluster}": next time name it, as in "${name}${suffixOf(cluster)}"`;

function warned(reply: Reply, warnings: readonly string[]): Reply {
  if (warnings.length === 0) return reply;
  const warning = [...[reply.headers['warning'] ?? []].flat(), ...warnings.map(warningHeader)];
  return { ...reply, headers: { ...reply.headers, warning } };
}
