/** All built-in kinds: those with their own rules, and the others with generic ones. */

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
import { endpoints } from './endpoints/kind.ts';
import { events, newEvents } from './events.ts';
import { ingressClasses } from './ingress-classes/kind.ts';
import { ingresses } from './ingresses/kind.ts';
import { jobs } from './jobs/kind.ts';
import { leases } from './leases.ts';
import { networkPolicies } from './network-policies/kind.ts';
import { nodes } from './nodes/kind.ts';
import { warningsOf } from './not-enforced.ts';
import { pods } from './pods/kind.ts';
import { printedColumns } from './printing/printed-columns.ts';
import { priorityClasses } from './priority-classes/kind.ts';
import { replicaSets } from './replica-sets/kind.ts';
import { replicationControllers } from './replication-controllers/kind.ts';
import { clusterRoleBindings, roleBindings } from './role-bindings.ts';
import { clusterRoles, roles } from './roles.ts';
import { fieldsOf } from './selectable-fields.ts';
import { served } from './served.ts';
import { serviceAccounts } from './service-accounts.ts';
import { services } from './services/kind.ts';
import { statefulSets } from './stateful-sets/kind.ts';
import { storageClasses } from './storage-classes/kind.ts';
import { persistentVolumeClaims } from './volumes/claim-kind.ts';
import { persistentVolumes } from './volumes/volume-kind.ts';

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
  endpoints,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  replicationControllers,
  services,
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

/** This group's kinds are served by their own code. */
const otherGroups = ['apiextensions.k8s.io'];

function strategyOf(group: string, resource: string, enforced: readonly string[]): PrintedKind['strategy'] {
  const selectableFields = fieldsOf(group, resource);
  return { ...(selectableFields ? { selectableFields } : {}), ...warningsOf(group, resource, enforced) };
}

/** The server itself requires these. */
const needed = [
  'namespaces',
  'configmaps',
  'secrets',
  'serviceaccounts',
  'events',
  'priorityclasses.scheduling.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
];

/**
 * In the order of discovery. `names` are the kinds to serve in addition to the needed ones, such as `pods` or `deployments.apps`.
 * `enforced` are those that the server enforces, while others are only stored.
 */
export const builtInKinds = (names?: readonly string[], enforced: readonly string[] = []): readonly PrintedKind[] =>
  builtInResources()
    .filter(({ verbs, group }) => verbs.includes('watch') && !otherGroups.includes(group))
    .filter(({ group, name }) => {
      const full = group ? `${name}.${group}` : name;
      return !names || names.includes(full) || needed.includes(full);
    })
    .map(
      ({ group, version, name }) =>
        withRules.find((kind) => kind.group === group && kind.version === version && kind.resource === name) ?? {
          ...served(group, name, version),
          strategy: strategyOf(group, name, enforced),
          columns: printedColumns(group, version, name),
        },
    );
