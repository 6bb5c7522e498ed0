/**
 * Writes the roles and bindings that a kube-apiserver creates itself to generated/bootstrap-policy.ts. The suite apiserver-rbac
 * compares them on real clusters; `POLICY=write npx vitest run --project bed test/suites/apiserver-rbac.bed.ts -t 'bootstrap
 * policy'` generates them again.
 */

import { fileURLToPath } from 'node:url';
import type { KubeObject } from '../registry/kube-object.ts';

export const policyFile = fileURLToPath(new URL('./generated/bootstrap-policy.ts', import.meta.url));

const kinds = {
  clusterroles: 'ClusterRole',
  clusterrolebindings: 'ClusterRoleBinding',
  roles: 'Role',
  rolebindings: 'RoleBinding',
};
const bootstrapped = 'labelSelector=kubernetes.io%2Fbootstrapping%3Drbac-defaults';

/** The text of the module: one object per line. `ask` gets a path and returns the parsed response. */
export async function policyModule(ask: (path: string) => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  for (const [resource, kind] of Object.entries(kinds)) {
    const path = `/apis/rbac.authorization.k8s.io/v1/${resource}?${bootstrapped}`;
    const { items } = (await ask(path)) as { items: KubeObject[] };
    lines.push(...items.map((item) => JSON.stringify(bare(kind, item))));
  }
  return `// Made from a kube-apiserver by rbac/bootstrap-policy.build.ts; the suite apiserver-rbac on the bed holds it to that.
export const bootstrapPolicy = String.raw\`${lines.join('\n')}\`;
`;
}

/** Without fields that the server sets. The rules of an aggregated role come from other roles. */
function bare(kind: string, { metadata, ...rest }: KubeObject): object {
  const { name, namespace, labels, annotations } = metadata;
  const { apiVersion: _, kind: __, rules, ...own } = rest;
  return {
    kind,
    metadata: { name, ...(namespace ? { namespace } : {}), labels, annotations },
    ...own,
    ...(rules === undefined || own['aggregationRule'] ? {} : { rules }),
  };
}
