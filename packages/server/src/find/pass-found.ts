/** Serves a name without a cluster: finds the member that has the object, and passes the request to it (LIST-7, NAME-6, NAME-10). */

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
import { type FindAsk, isRead, listTarget, lookTarget, onlyOne, seek, seekAgain } from './find.ts';
import type { KnownObject } from './known-object.ts';
import { resumesMerged, withOwnVersion } from './own-version.ts';

export interface PassFoundAsk {
  target: PlacelessTarget;
  clusters: readonly ClusterName[];
  /** The view of a list by name if no member, or several, have the object. */
  otherwise?: View | undefined;
  /** A write has to name its cluster: then nothing is looked for. */
  requireCluster: boolean;
  /** Throws if a member cannot be tried at all. */
  routeTo: (cluster: ClusterName) => Route;
  /** The route for looking up the object; left out: `routeTo`. */
  lookIn?: (cluster: ClusterName, target: PlacelessTarget) => Route;
  /** What the cache knows of the object that a target names. */
  knownAt?: (cluster: ClusterName, target: PlacelessTarget) => KnownObject | undefined;
  /** The resource versions of clusters, by a listing target. Members that do not answer are left out; never rejects. */
  positionsBy?: (target: PlacelessTarget) => Promise<ReadonlyMap<ClusterName, string>>;
  /** A list by name that no member, or several, have is a list over all of them. */
  merged: (view: View) => Promise<Reply>;
  incoming: Incoming;
}

export async function passFound(found: PassFoundAsk): Promise<Reply> {
  const { target, clusters, otherwise, routeTo, merged, incoming } = found;
  const { ask, wire, body } = target;
  // Only requests for named resources have this place.
  if (ask.is !== 'resource') throw noSuchResource();
  if (otherwise && resumesMerged(target)) return merged(otherwise);
  const looking = lookTarget(target, ask);
  const isApply = body?.read?.contentType === applyPatch;
  const request: FindAsk = {
    ask,
    method: wire.method,
    clusters,
    routeTo: (cluster) => found.lookIn?.(cluster, looking) ?? routeTo(cluster),
    // An apply would recreate an object that was deleted after the cache's last event.
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
  const isAmbiguous = sought.having.length > 1 || isNowhere;
  if (otherwise && isAmbiguous) return merged(otherwise);
  // An apply would create an object that exists nowhere yet.
  if (isNowhere && isApply) throw mustNameCluster(target);
  const send = async (cluster: ClusterName, signal: AbortSignal) => {
    const route = positions ? { ...routeTo(cluster), positions: await positions } : routeTo(cluster);
    return pass(route, redirectedTo(cluster, withOwnVersion(target, cluster)), { ...incoming, signal });
  };
  const first = onlyOne(request, sought);
  const given = abortingWith(incoming.signal);
  const answer = await send(first.cluster, given.signal);
  const mightHaveMoved = answer.is === 'plain' && answer.status === 404 && sought.known.includes(first.cluster);
  // A body that was streamed cannot be sent twice.
  const moved = mightHaveMoved && (body || !incoming.body) ? await seekAgain(request, first.cluster) : undefined;
  if (moved) given.abort(new Error('the object is in another cluster by now'));
  const { cluster, warnings } = moved ? onlyOne(request, moved) : first;
  const reply = moved ? await send(cluster, incoming.signal) : answer;
  // Nobody reads warnings on a stream, and in a view with plain names every request would have one.
  const isAnnounced = writes && reply.is === 'plain' && !target.registered;
  return warned(reply, isAnnounced ? [...warnings, foundIn(cluster, ask)] : warnings);
}

/** Subresources that have the object's own version. */
const sameVersion: ReadonlySet<string | undefined> = new Set([undefined, 'status', 'scale']);

/** RV-4. */
const showsMap = ({ view, ask }: PlacelessTarget): boolean =>
  view.versions === 'maps' && ask.is === 'resource' && ask.verb === 'get' && sameVersion.has(ask.subresource);

/** A redirect has to lead to the same cluster: by the plain name the object would be looked up again (SEC-1). */
function redirectedTo(cluster: ClusterName, target: PlacelessTarget): PlacelessTarget {
  if (!target.proxied) return target;
  const { inner, outer } = target.proxied;
  // A user of the aggregation endpoint may not be allowed to use another one: there the name gets the cluster.
  if (target.registered)
    return { ...target, proxied: { inner, outer: withCluster(outer, cluster, target), query: '' } };
  const prefix = target.view.annotated
    ? `/apis/cluster.karmada.io/v1alpha1/clusters/${cluster}/proxy`
    : `/clusterspaces/${cluster}`;
  return { ...target, proxied: { inner, outer: `${prefix}${inner}`, query: '' } };
}

/** The name is the last segment, or the one before `proxy`. In the old paths `proxy` comes first. */
function withCluster(path: string, cluster: ClusterName, { ask }: PlacelessTarget): string {
  const segments = path.split('/');
  const at = ask.is === 'resource' && ask.verb === 'proxy' ? -1 : -2;
  const { name, rebuild } = splitProxyName(decodeURIComponent(segments.at(at) ?? ''));
  const suffixed = rebuild(name + suffixOf(cluster));
  return segments.with(at, encodeURIComponent(suffixed).replaceAll('%3A', ':')).join('/');
}

/** Names the object that was changed: tomorrow another member may have an object of that name. */
const foundIn = (cluster: ClusterName, { resource, name = '' }: ResourceRequest): string =>
  `${resource} "${name}" was found in cluster "${cluster}": next time name it, as in "${name}${suffixOf(cluster)}"`;

function warned(reply: Reply, warnings: readonly string[]): Reply {
  if (warnings.length === 0) return reply;
  const warning = [...[reply.headers['warning'] ?? []].flat(), ...warnings.map(warningHeader)];
  return { ...reply, headers: { ...reply.headers, warning } };
}
