/** Replaces the resource version of a merged list, in a read of one cluster, by that cluster's entry (RV-6). */

import { expired } from '@fleet/kube/status.ts';
import { mapOf } from '../present/versions.ts';
import { keyOf } from '../target/query.ts';
import type { ClusterName, PlacelessTarget, Wire } from '../target/target.ts';

const versionIn = ({ query }: Wire) => mapOf(new URLSearchParams(query).get('resourceVersion') ?? '');

const sendsInitialEvents = ({ query }: Wire): boolean => {
  const text = new URLSearchParams(query).get('sendInitialEvents');
  return text !== null && !['false', '0'].includes(text.toLowerCase());
};

/**
 * Whether it is a watch that resumes from a merged list. The version does not name the cluster that had the object, so a watch of the one
 * that has it now would miss its deletion in another one.
 */
export const resumesMerged = ({ ask, wire }: PlacelessTarget): boolean =>
  ask.is === 'resource' && ask.verb === 'watch' && versionIn(wire) !== undefined && !sendsInitialEvents(wire);

/** Whether the version in the request has an entry for this cluster. */
export const namesVersionOf = ({ wire }: PlacelessTarget, cluster: ClusterName): boolean =>
  versionIn(wire)?.has(cluster) ?? false;

export function withOwnVersion(target: PlacelessTarget, cluster: ClusterName): PlacelessTarget {
  const { wire } = target;
  const versions = versionIn(wire);
  if (!versions) return target;
  const entry = versions.get(cluster) || undefined;
  const match = new URLSearchParams(wire.query).get('resourceVersionMatch');
  if (entry === undefined && match === 'Exact') {
    throw expired(`The resourceVersion for the provided list is too old: it does not name cluster "${cluster}".`);
  }
  // A match without a version is valid only with initial events.
  const keepsMatch = entry !== undefined || sendsInitialEvents(wire);
  const pairs = wire.query.split('&').flatMap((pair) => {
    const key = keyOf(pair);
    if (key === 'resourceVersionMatch') return keepsMatch ? [pair] : [];
    if (key !== 'resourceVersion') return [pair];
    return entry === undefined ? [] : [`resourceVersion=${encodeURIComponent(entry)}`];
  });
  return { ...target, wire: { ...wire, query: pairs.join('&') } };
}
