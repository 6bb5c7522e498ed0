/** The fields of a Deployment that defaults and validation use. */

import type { IntOrString } from '../rules/int-or-percent.ts';
import type { ReplicaStatus, WorkloadSpec } from '../workloads/workload.ts';

export interface RollingUpdate {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
}

export interface DeploymentSpec extends WorkloadSpec {
  strategy: { type?: string; rollingUpdate?: RollingUpdate };
  progressDeadlineSeconds?: number;
  paused?: boolean;
}

export interface Deployment {
  spec: DeploymentSpec;
  status: ReplicaStatus;
}
