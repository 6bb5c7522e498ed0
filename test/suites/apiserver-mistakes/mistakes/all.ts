/** Common mistakes with every workload kind. */

import type { KindMistakes } from '../mistake.ts';
import {
  controllerRevisions,
  daemonSets,
  deployments,
  replicaSets,
  replicationControllers,
  statefulSets,
} from './apps.ts';
import { nodes, persistentVolumeClaims, persistentVolumes, priorityClasses, storageClasses } from './cluster.ts';
import { cronJobs, jobs } from './jobs.ts';
import { pods } from './pods.ts';
import {
  autoscalers,
  ingressClasses,
  ingresses,
  networkPolicies,
  oldAutoscalers,
  podDisruptionBudgets,
} from './policies.ts';
import { endpointSlices, endpoints, services } from './services.ts';

export const allMistakes: readonly KindMistakes[] = [
  pods,
  services,
  endpoints,
  endpointSlices,
  nodes,
  persistentVolumes,
  persistentVolumeClaims,
  storageClasses,
  priorityClasses,
  replicationControllers,
  deployments,
  replicaSets,
  statefulSets,
  daemonSets,
  controllerRevisions,
  jobs,
  cronJobs,
  autoscalers,
  oldAutoscalers,
  podDisruptionBudgets,
  ingresses,
  ingressClasses,
  networkPolicies,
];
