/** The fields of a StatefulSet that defaults and validation use. */

import type { ObjectMeta } from '../../registry/kube-object.ts';
import type { ClaimSpec } from '../pods/pod-spec.ts';
import type { IntOrString } from '../rules/int-or-percent.ts';
import type { ReplicaStatus, WorkloadSpec } from '../workloads/workload.ts';

export interface RollingUpdate {
  partition?: number;
  maxUnavailable?: IntOrString;
}

export interface ClaimTemplate {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  spec: ClaimSpec;
  status: { phase?: string; [field: string]: unknown };
}

export interface StatefulSetSpec extends WorkloadSpec {
  serviceName?: string;
  podManagementPolicy?: string;
  updateStrategy: { type?: string; rollingUpdate?: RollingUpdate };
  volumeClaimTemplates?: ClaimTemplate[];
  persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
  ordinals?: { start?: number };
}

export interface StatefulSet {
  spec: StatefulSetSpec;
  status: ReplicaStatus;
}
