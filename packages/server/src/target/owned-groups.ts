/** Groups that are the control plane's in merged views. */

import type { Ask } from './target.ts';

/** Groups whose objects are the product's own. */
export const fleetOwnedGroups: ReadonlySet<string> = new Set([
  'cluster.karmada.io',
  'search.karmada.io',
  'policy.karmada.io',
  'work.karmada.io',
  'config.karmada.io',
  'cluster.kubesphere.io',
]);

/** KubeSphere's form of Clusters, which the product answers itself (KS-1). */
export const isKubeSphereCluster = (ask: Ask): boolean =>
  ask.is === 'resource' && ask.group === 'cluster.kubesphere.io' && ask.resource === 'clusters';

const unversioned = /^\/apis\/cluster\.kubesphere\.io\/(clusters|agents)(?=\/|$)/;

/** As KubeSphere's document writes the path of its objects, without a version. */
export const versionedPath = (path: string): string =>
  path.replace(unversioned, '/apis/cluster.kubesphere.io/v1alpha1/$1');

/** Who a user is, is the control plane's knowledge (AUTHZ-4). */
export const controlPlaneGroups: ReadonlySet<string> = new Set([...fleetOwnedGroups, 'authentication.k8s.io']);
