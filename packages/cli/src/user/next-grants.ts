/** Prints the commands that grant permissions to a new user, in the control plane and in each member. */

import { shellQuote } from '../demo/shell-quote.ts';

export interface Subject {
  kind: 'User' | 'Group';
  name: string;
}

/** Cluster-admin in the control plane and in the members, by bindings that `fleet serve` and `fleet join` make. */
export const administrators = 'fleet:admins';

/** `cluster`: one of the fleet's, for the example. */
export function nextGrants({ kind, name }: Subject, cluster: string): string {
  const rbac = 'rbac.authorization.k8s.io';
  const role = `reach-${cluster}`;
  const binding = `${role}-${name.replaceAll(/[^\w.-]/g, '-')}`;
  const view = `${binding.slice(role.length + 1)}-view`;
  return `# This grants nothing to ${kind === 'User' ? name : `the group ${name}`}. Next, for ${cluster} as an example:

# 1. In the control plane: which clusters. Without resourceNames it is all of them.
fleet kubeconfig --cluster karmada --output fleet-karmada.kubeconfig
kubectl --kubeconfig fleet-karmada.kubeconfig apply -f - <<'EOF'
apiVersion: ${rbac}/v1
kind: ClusterRole
metadata: {name: ${role}}
rules:
  - {apiGroups: [cluster.karmada.io], resources: [clusterspaces, clusters/proxy], resourceNames: [${cluster}], verbs: ["*"]}
---
apiVersion: ${rbac}/v1
kind: ClusterRoleBinding
metadata: {name: ${JSON.stringify(binding)}}
roleRef: {apiGroup: ${rbac}, kind: ClusterRole, name: ${role}}
subjects:
  - {apiGroup: ${rbac}, kind: ${kind}, name: ${JSON.stringify(name)}}
EOF

# 2. In the member: what to do there.
fleet kubeconfig --cluster ${cluster} --output fleet-${cluster}.kubeconfig
kubectl --kubeconfig fleet-${cluster}.kubeconfig create clusterrolebinding ${shellQuote(view)} --clusterrole view --${kind.toLowerCase()} ${shellQuote(name)}
`;
}
