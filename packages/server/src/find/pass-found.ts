/** A name without a cluster: looked for in all members, then passed to the one that has it (LIST-7, NAME-6, NAME-10). */

import { applyPatch } from '@fleet/kube/request-body.ts';
import { noSuchResource } from '@fleet/kube/status.ts';
import { warningHeader } from '@fleet/kube/warning.ts';
import type { Incoming, Reply } from '../http/message.ts';
import { pass, type Route } from '../pass/pass.ts';
import { mustNameCluster } from '../target/must-name-cluster.ts';
import type { ClusterName, Target, View } from '../target/target.ts';
import { onlyOne, seek } from './find.ts';

export interface PassFoundAsk {
  target: Target;
  clusters: readonly ClusterName[];
  /** Throws where a member cannot be tried at all. */
  routeTo: (cluster: ClusterName) => Route;
  /** A list by name that none or several have is one over all of them. */
  merged: (view: View) => Promise<Reply>;
  incoming: Incoming;
}

export async function passFound({ target, clusters, routeTo, merged, incoming }: PassFoundAsk): Promise<Reply> {
  const { ask, wire, place, body } = target;
  // Only named requests for resources are placed so.
  if (ask.is !== 'resource') throw noSuchResource();
  const request = { ask, method: wire.method, clusters, routeTo, signal: incoming.signal };
  const sought = await seek(request);
  const isNowhere = sought.having.length + sought.silent.length === 0;
  const isElsewhere = sought.having.length > 1 || isNowhere;
  if (place.at === 'found' && place.otherwise && isElsewhere) return merged(place.otherwise);
  // An apply would make what is nowhere yet.
  if (isNowhere && body?.read?.contentType === applyPatch) throw mustNameCluster(wire.path);
  const { cluster, warnings } = onlyOne(request, sought);
  return warned(await pass(routeTo(cluster), target, incoming), warnings);
}

function warned(reply: Reply, warnings: readonly string[]): Reply {
  if (warnings.length === 0) return reply;
  const warning = [...[reply.headers['warning'] ?? []].flat(), ...warnings.map(warningHeader)];
  return { ...reply, headers: { ...reply.headers, warning } };
}
