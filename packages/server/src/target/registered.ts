/** Which resources ResourceRegistries select: the aggregation endpoint reads these from members, all others from the control plane. */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { ClusterName } from './target.ts';

export type AskedResource = Pick<ResourceRequest, 'group' | 'version' | 'resource' | 'namespace'>;

export interface Registrations {
  /** Whether it is registered, in any cluster and namespace. */
  isRegistered(asked: AskedResource): boolean;
  /** The API versions in which it is registered. */
  versionsOf(asked: Pick<AskedResource, 'group' | 'resource'>): readonly string[];
  /** The clusters in which it is registered; with a namespace, those in which that namespace is. */
  clustersOf(asked: AskedResource): ReadonlySet<ClusterName>;
  /** The registered namespaces of a cluster; undefined: all of them. */
  namespacesOf(cluster: ClusterName, asked: AskedResource): ReadonlySet<string> | undefined;
  /** The registered namespaces of each cluster, as text to compare; empty if all namespaces of all clusters are registered. */
  narrowing(asked: AskedResource): string;
}

const nowhere: ReadonlySet<ClusterName> = new Set();

export const nothingRegistered: Registrations = {
  isRegistered: () => false,
  versionsOf: () => [],
  clustersOf: () => nowhere,
  namespacesOf: () => undefined,
  narrowing: () => '',
};
