/** API groups that the control plane serves in merged views. */

import type { Ask } from './target.ts';

/** Groups of the product's own objects. */
export const fleetOwnedGroups: ReadonlySet<string> = new Set([
  'cluster.karmada.io',
  'search.karmada.io',
  'policy.karmada.io',
  'work.karmada.io',
  'config.karmada.io',
  'cluster.kubesphere.io',
]);

/** KubeSphere's form of Clusters, which the product serves itself (KS-1). */
export const isKubeSphereCluster = (ask: Ask): boolean =>
  ask.is === 'resource' && ask.group === 'cluster.kubesphere.io' && ask.resource === 'clusters';

const unversioned = /^\/apis\/cluster\.kubesphere\.io\/(clusters|agents)(?=\/|$)/;

/** KubeSphere's documentation writes the path without a version. */
export const versionedPath = (path: string): string =>
  path.replace(unversioned, '/apis/cluster.kubesphere.io/v1alpha1/$1');

/** Only the control plane authenticates users (AUTHZ-4). */
export const controlPlaneGroups: ReadonlySet<string> = new Set([...fleetOwnedGroups, 'authentication.k8s.io']);
