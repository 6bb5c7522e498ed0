/** What ResourceRegistries say of a resource: the aggregation family shows it from members, everything else from the control plane. */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { ClusterName } from './target.ts';

export type AskedResource = Pick<ResourceRequest, 'group' | 'version' | 'resource' | 'namespace'>;

export interface Registrations {
  /** In any cluster and namespace. */
  isRegistered(asked: AskedResource): boolean;
  /** Those in which it is. */
  versionsOf(asked: Pick<AskedResource, 'group' | 'resource'>): readonly string[];
  /** Where it is registered; in the namespace that is asked for, if one is. */
  clustersOf(asked: AskedResource): ReadonlySet<ClusterName>;
  /** Undefined: all of them. */
  namespacesOf(cluster: ClusterName, asked: AskedResource): ReadonlySet<string> | undefined;
  /** Which namespaces of which clusters a request over all namespaces sees, as text: empty where that is all. */
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
