/** Groups that are the control plane's in merged views. */

/** Groups whose objects are the product's own. */
export const fleetOwnedGroups: ReadonlySet<string> = new Set([
  'cluster.karmada.io',
  'search.karmada.io',
  'policy.karmada.io',
  'work.karmada.io',
  'config.karmada.io',
  'cluster.kubesphere.io',
]);

/** Who a user is, is the control plane's knowledge (AUTHZ-4). */
export const controlPlaneGroups: ReadonlySet<string> = new Set([...fleetOwnedGroups, 'authentication.k8s.io']);
