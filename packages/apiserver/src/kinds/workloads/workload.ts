/** Common parts of the kinds with a pod template. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { SelectorObject } from '../../selectors/selector-object.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';

export interface WorkloadSpec {
  replicas?: number;
  /** Null where Go writes a nil pointer. */
  selector?: SelectorObject | null;
  template: PodTemplate;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
}

export interface ReplicaStatus {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  currentReplicas?: number;
  fullyLabeledReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  collisionCount?: number;
}

/** In Kubernetes' internal form the number of replicas is always set. */
export const withoutReplicas = ({ spec }: KubeObject): void => {
  (spec as WorkloadSpec).replicas = 0;
};
