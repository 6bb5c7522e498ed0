/** The Deployment kind, and the numbers that its strategy determines. */

import type { SelectorObject } from '@fleet/apiserver/selectors/selector-object.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { type ReplicaSet, replicasOf } from '../replica-sets/replica-set.ts';
import type { ControllerKind } from '../shared/controller-ref.ts';
import { scaled } from '../shared/int-or-percent.ts';
import type { Condition, IntOrPercent, PodTemplate } from '../shared/objects.ts';

export interface DeploymentStatus {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  collisionCount?: number;
  conditions?: Condition[];
}

export interface Deployment extends KubeObject {
  spec: {
    replicas?: number;
    selector: SelectorObject;
    template: PodTemplate;
    strategy?: {
      type?: string;
      rollingUpdate?: { maxSurge?: IntOrPercent; maxUnavailable?: IntOrPercent };
    };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    progressDeadlineSeconds?: number;
    paused?: boolean;
  };
  status?: DeploymentStatus;
}

export const deployments: ControllerKind = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  root: 'apis/apps/v1',
  resource: 'deployments',
};

const largestInt32 = 2 ** 31 - 1;

export const desiredReplicas = ({ spec }: Deployment): number => spec.replicas ?? 1;

export const isRollingUpdate = ({ spec }: Deployment): boolean =>
  (spec.strategy?.type ?? 'RollingUpdate') === 'RollingUpdate';

export const hasProgressDeadline = ({ spec }: Deployment): boolean =>
  spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== largestInt32;

export const hasHistoryLimit = ({ spec }: Deployment): boolean =>
  spec.revisionHistoryLimit !== undefined && spec.revisionHistoryLimit !== largestInt32;

/** Rounded up. */
export const maxSurge = (deployment: Deployment): number =>
  isRollingUpdate(deployment)
    ? scaled(deployment.spec.strategy?.rollingUpdate?.maxSurge, desiredReplicas(deployment), true)
    : 0;

/** Rounded down, but at least one if otherwise nothing could change. */
export function maxUnavailable(deployment: Deployment): number {
  const desired = desiredReplicas(deployment);
  if (!isRollingUpdate(deployment) || desired === 0) return 0;
  const unavailable = scaled(deployment.spec.strategy?.rollingUpdate?.maxUnavailable, desired, false);
  if (unavailable === 0 && maxSurge(deployment) === 0) return 1;
  return Math.min(unavailable, desired);
}

const sum = (sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number | undefined): number =>
  sets.reduce((total, set) => total + (count(set) ?? 0), 0);

export const specReplicas = (sets: readonly ReplicaSet[]): number => sum(sets, replicasOf);
export const actualReplicas = (sets: readonly ReplicaSet[]): number => sum(sets, ({ status }) => status?.replicas);
export const readyReplicas = (sets: readonly ReplicaSet[]): number => sum(sets, ({ status }) => status?.readyReplicas);
export const availableReplicas = (sets: readonly ReplicaSet[]): number =>
  sum(sets, ({ status }) => status?.availableReplicas);

/** Undefined until every ReplicaSet has counted them. */
export function terminatingReplicas(sets: readonly ReplicaSet[]): number | undefined {
  const counted = sets.filter(({ status }) => status?.observedGeneration || status?.terminatingReplicas !== undefined);
  if (counted.some(({ status }) => status?.terminatingReplicas === undefined)) return undefined;
  return sum(counted, ({ status }) => status?.terminatingReplicas);
}

export const activeSets = (sets: readonly ReplicaSet[]): ReplicaSet[] => sets.filter((set) => replicasOf(set) > 0);

/** Those of the same second are ordered by name. */
export const byCreation = (left: ReplicaSet, right: ReplicaSet): number => {
  const [leftTime = '', rightTime = ''] = [left.metadata.creationTimestamp, right.metadata.creationTimestamp];
  if (leftTime !== rightTime) return leftTime < rightTime ? -1 : 1;
  return left.metadata.name < right.metadata.name ? -1 : 1;
};
