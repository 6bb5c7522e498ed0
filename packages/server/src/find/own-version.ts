/** The version of a merged list in a read that goes to one cluster: that cluster's entry, as a merged read would take it (RV-6). */

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
 * A watch that goes on from a merged list: in which clusters the object was is not in its version, so that its deletion in
 * another one than has it now would be lost.
 */
export const resumesMerged = ({ ask, wire }: PlacelessTarget): boolean =>
  ask.is === 'resource' && ask.verb === 'watch' && versionIn(wire) !== undefined && !sendsInitialEvents(wire);

/** Whether the version in the request says where this cluster stands. */
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
  // A match without a version makes sense beside initial events alone.
  const keepsMatch = entry !== undefined || sendsInitialEvents(wire);
  const pairs = wire.query.split('&').flatMap((pair) => {
    const key = keyOf(pair);
    if (key === 'resourceVersionMatch') return keepsMatch ? [pair] : [];
    if (key !== 'resourceVersion') return [pair];
    return entry === undefined ? [] : [`resourceVersion=${encodeURIComponent(entry)}`];
  });
  return { ...target, wire: { ...wire, query: pairs.join('&') } };
}
