/** The fields of a DaemonSet that defaults and validation use. */

import type { IntOrString } from '../rules/int-or-percent.ts';
import type { WorkloadSpec } from '../workloads/workload.ts';

export interface RollingUpdate {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
}

export interface DaemonSetSpec extends WorkloadSpec {
  updateStrategy: { type?: string; rollingUpdate?: RollingUpdate };
}

export interface DaemonSetStatus {
  currentNumberScheduled?: number;
  numberMisscheduled?: number;
  desiredNumberScheduled?: number;
  numberReady?: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
}

export interface DaemonSet {
  spec: DaemonSetSpec;
  status: DaemonSetStatus;
}
