/** The kinds of a member cluster, for two servers without controllers of workloads: all that is written is the run's. */
import { configMap } from '../core.ts';
import type { Kind } from '../kind.ts';
import {
  controllerRevision,
  cronJob,
  daemonSet,
  deployment,
  job,
  replicaSet,
  replicationController,
  statefulSet,
} from './apps.ts';
import { endpointSlice, endpoints, ingress, ingressClass, networkPolicy, service } from './network.ts';
import { node, pod } from './pods.ts';
import { autoscaler, oldAutoscaler, podDisruptionBudget, priorityClass } from './policies.ts';
import { persistentVolume, persistentVolumeClaim, storageClass } from './storage.ts';

/** Their order is part of what a seed means. ConfigMaps are the owners of others. */
export const workloadKinds: readonly Kind[] = [
  { ...configMap, weight: 2 },
  pod,
  service,
  endpoints,
  endpointSlice,
  node,
  persistentVolume,
  persistentVolumeClaim,
  storageClass,
  priorityClass,
  replicationController,
  deployment,
  replicaSet,
  statefulSet,
  daemonSet,
  controllerRevision,
  job,
  cronJob,
  autoscaler,
  oldAutoscaler,
  podDisruptionBudget,
  ingress,
  ingressClass,
  networkPolicy,
];
