/** What the kinds that make pods of a template have in common. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { SelectorObject } from '../../selectors/selector-object.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';

export interface WorkloadSpec {
  replicas?: number;
  /** Null where Go writes a pointer that nothing was put into. */
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

/** Inside Kubernetes the number of replicas is always there. */
export const withoutReplicas = ({ spec }: KubeObject): void => {
  (spec as WorkloadSpec).replicas = 0;
};
