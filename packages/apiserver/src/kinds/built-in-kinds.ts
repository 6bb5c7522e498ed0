/** All kinds that the server keeps: those with rules of their own, and the rest as their types say. */

import type { PrintedKind } from '../registry/printed-kind.ts';
import { builtInResources } from '../schema/built-in.ts';
import { newAutoscalers, oldAutoscalers } from './autoscalers/kind.ts';
import { controllerRevisions } from './controller-revisions/kind.ts';
import { configMaps, namespaces, secrets } from './core.ts';
import { cronJobs } from './cron-jobs/kind.ts';
import { daemonSets } from './daemon-sets/kind.ts';
import { deployments } from './deployments/kind.ts';
import { disruptionBudgets } from './disruption-budgets/kind.ts';
import { endpointSlices } from './endpoint-slices/kind.ts';
import { events, newEvents } from './events.ts';
import { ingressClasses } from './ingress-classes/kind.ts';
import { ingresses } from './ingresses/kind.ts';
import { jobs } from './jobs/kind.ts';
import { leases } from './leases.ts';
import { networkPolicies } from './network-policies/kind.ts';
import { warningsOf } from './not-enforced.ts';
import { pods } from './pods/kind.ts';
import { printedColumns } from './printing/printed-columns.ts';
import { priorityClasses } from './priority-classes/kind.ts';
import { replicaSets } from './replica-sets/kind.ts';
import { clusterRoleBindings, roleBindings } from './role-bindings.ts';
import { clusterRoles, roles } from './roles.ts';
import { fieldsOf } from './selectable-fields.ts';
import { served } from './served.ts';
import { serviceAccounts } from './service-accounts.ts';
import { statefulSets } from './stateful-sets/kind.ts';
import { storageClasses } from './storage-classes/kind.ts';

const withRules: readonly PrintedKind[] = [
  configMaps,
  namespaces,
  secrets,
  serviceAccounts,
  events,
  newEvents,
  leases,
  roles,
  clusterRoles,
  roleBindings,
  clusterRoleBindings,
  pods,
  newAutoscalers,
  oldAutoscalers,
  deployments,
  replicaSets,
  statefulSets,
  daemonSets,
  controllerRevisions,
  jobs,
  cronJobs,
  disruptionBudgets,
  priorityClasses,
  ingresses,
  ingressClasses,
  networkPolicies,
  storageClasses,
  endpointSlices,
];

/** What makes others be served, or is served by others. */
const otherGroups = ['apiextensions.k8s.io'];

function strategyOf(group: string, resource: string): PrintedKind['strategy'] {
  const selectableFields = fieldsOf(group, resource);
  return { ...(selectableFields ? { selectableFields } : {}), ...warningsOf(group, resource) };
}

/** In the order of discovery. */
export const builtInKinds = (): readonly PrintedKind[] =>
  builtInResources()
    .filter(({ verbs, group }) => verbs.includes('watch') && !otherGroups.includes(group))
    .map(
      ({ group, version, name }) =>
        withRules.find((kind) => kind.group === group && kind.version === version && kind.resource === name) ?? {
          ...served(group, name, version),
          strategy: strategyOf(group, name),
          columns: printedColumns(group, version, name),
        },
    );
