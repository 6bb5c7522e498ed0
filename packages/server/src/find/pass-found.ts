/** A name without a cluster: looked for in all members, then passed to the one that has it (LIST-7, NAME-6, NAME-10). */

import { applyPatch } from '@fleet/kube/request-body.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { noSuchResource } from '@fleet/kube/status.ts';
import { warningHeader } from '@fleet/kube/warning.ts';
import type { Incoming, Reply } from '../http/message.ts';
import { pass, type Route } from '../pass/pass.ts';
import { mustNameCluster, mustNameClusterToWrite } from '../target/must-name-cluster.ts';
import { suffixOf } from '../target/suffixed-name.ts';
import type { ClusterName, PlacelessTarget, View } from '../target/target.ts';
import { isRead, onlyOne, seek } from './find.ts';
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
  const request = { ask, method: wire.method, clusters, routeTo, signal: incoming.signal };
  const writes = !isRead(request);
  if (writes && found.requireCluster) throw mustNameClusterToWrite(ask.name ?? '', wire.path);
  const sought = await seek(request);
  const isNowhere = sought.having.length + sought.silent.length === 0;
  const isElsewhere = sought.having.length > 1 || isNowhere;
  if (otherwise && isElsewhere) return merged(otherwise);
  // An apply would make what is nowhere yet.
  if (isNowhere && body?.read?.contentType === applyPatch) throw mustNameCluster(wire.path);
  const { cluster, warnings } = onlyOne(request, sought);
  const reply = await pass(routeTo(cluster), redirectedTo(cluster, withOwnVersion(target, cluster)), incoming);
  // A stream has no reader for warnings.
  const tells = writes && reply.is === 'plain';
  return warned(reply, tells ? [...warnings, foundIn(cluster, ask)] : warnings);
}

/** Whoever follows a redirect of what was found stays in its cluster: by the plain name it would be looked for anew (SEC-1). */
function redirectedTo(cluster: ClusterName, target: PlacelessTarget): PlacelessTarget {
  if (!target.proxied) return target;
  const { inner } = target.proxied;
  const prefix = target.view.annotated
    ? `/apis/cluster.karmada.io/v1alpha1/clusters/${cluster}/proxy`
    : `/clusterspaces/${cluster}`;
  return { ...target, proxied: { inner, outer: `${prefix}${inner}`, query: '' } };
}

/** Whoever typed a plain name learns what was changed: another member may get an object of that name tomorrow. */
const foundIn = (cluster: ClusterName, { resource, name = '' }: ResourceRequest): string =>
  `${resource} "${name}" was found in cluster "${cluster}": next time name it, as in "${name}${suffixOf(cluster)}"`;

function warned(reply: Reply, warnings: readonly string[]): Reply {
  if (warnings.length === 0) return reply;
  const warning = [...[reply.headers['warning'] ?? []].flat(), ...warnings.map(warningHeader)];
  return { ...reply, headers: { ...reply.headers, warning } };
}
