import { configMap, event, namespace, pod, secret, service, serviceAccount } from './core.ts';
import { customResourceDefinition, gadget, widget } from './custom.ts';
import type { Kind } from './kind.ts';
import { clusterRole, clusterRoleBinding, role, roleBinding } from './rbac.ts';
import { deployment, job, lease, networkPolicy, podDisruptionBudget, replicaSet } from './workloads.ts';

/** One by one: their order is part of what a seed means, and the values of a module come in another under a bundler. */
export const allKinds: readonly Kind[] = [
  configMap,
  secret,
  serviceAccount,
  service,
  pod,
  namespace,
  event,
  deployment,
  replicaSet,
  job,
  podDisruptionBudget,
  networkPolicy,
  lease,
  role,
  clusterRole,
  roleBinding,
  clusterRoleBinding,
  widget,
  gadget,
  customResourceDefinition,
];
