/** `work.karmada.io/v1alpha2`: a ResourceBinding (or ClusterResourceBinding) lists the clusters of one template, and its status in them. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Condition, Json, JsonObject, ResourceList, Toleration } from './objects.ts';
import type { ConflictResolution, Placement, Suspension } from './policies.ts';

export interface Binding extends KubeObject {
  spec: BindingSpec;
  status?: BindingStatus;
}

export interface BindingSpec {
  resource: ObjectReference;
  clusters?: TargetCluster[];
  replicas?: number;
  replicaRequirements?: ReplicaRequirements;
  placement?: Placement;
  propagateDeps?: boolean;
  conflictResolution?: ConflictResolution;
  preserveResourcesOnDeletion?: boolean;
  suspension?: Suspension & { scheduling?: boolean };
  schedulerName?: string;
  requiredBy?: BindingSnapshot[];
  gracefulEvictionTasks?: { fromCluster: string }[];
  rescheduleTriggeredAt?: string;
  failover?: Json;
  components?: Json;
  schedulePriority?: Json;
}

export interface ObjectReference {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
  uid?: string;
  resourceVersion?: string;
}

export interface TargetCluster {
  name: string;
  replicas?: number;
}

/** What one replica needs. */
export interface ReplicaRequirements {
  nodeClaim?: {
    hardNodeAffinity?: JsonObject;
    nodeSelector?: Record<string, string>;
    tolerations?: Toleration[];
  };
  resourceRequest?: ResourceList;
  namespace?: string;
  priorityClassName?: string;
}

/** A parent that this binding's object is a dependency of, with the parent's clusters (FED-11). */
export interface BindingSnapshot {
  namespace?: string;
  name: string;
  clusters?: TargetCluster[];
}

export interface BindingStatus {
  schedulerObservedGeneration?: number;
  schedulerObservingAffinityName?: string;
  lastScheduledTime?: string;
  conditions?: Condition[];
  aggregatedStatus?: AggregatedStatusItem[];
}

export type Health = 'Healthy' | 'Unhealthy' | 'Unknown';

export interface AggregatedStatusItem {
  clusterName: string;
  status?: JsonObject;
  applied?: boolean;
  appliedMessage?: string;
  health?: Health;
}
