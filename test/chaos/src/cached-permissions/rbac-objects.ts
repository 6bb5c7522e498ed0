/** RBAC objects as a member takes them: where they are, and what is sent. */

import { isRole, type RbacObject, type Ref, type Step } from './rbac-state.ts';

const group = 'rbac.authorization.k8s.io';
const sourceLabel = 'cached-permissions/aggregate';

const plurals = {
  Role: 'roles',
  ClusterRole: 'clusterroles',
  RoleBinding: 'rolebindings',
  ClusterRoleBinding: 'clusterrolebindings',
} as const;

const pathOf = ({ kind, namespace, name }: Ref): string =>
  `/apis/${group}/v1/${namespace === '' ? '' : `namespaces/${namespace}/`}${plurals[kind]}/${name}`;

function bodyOf(object: RbacObject): object {
  const { kind, namespace, name } = object;
  const metadata = { name, ...(namespace === '' ? {} : { namespace }) };
  const head = { apiVersion: `${group}/v1`, kind };
  if (!isRole(object)) {
    const roleRef = { apiGroup: group, ...object.role };
    return { ...head, metadata, roleRef, subjects: object.subjects.map((one) => ({ apiGroup: group, ...one })) };
  }
  const selector = { matchLabels: { [sourceLabel]: 'yes' } };
  return {
    ...head,
    metadata: { ...metadata, labels: object.isSource ? { [sourceLabel]: 'yes' } : {} },
    ...(object.isAggregated ? { aggregationRule: { clusterRoleSelectors: [selector] } } : { rules: object.rules }),
  };
}

/** A put creates what is not there. */
export const requestOf = (step: Step): { path: string; method: string; body?: object } =>
  'put' in step
    ? { path: pathOf(step.put), method: 'PUT', body: bodyOf(step.put) }
    : { path: pathOf(step.remove), method: 'DELETE' };
