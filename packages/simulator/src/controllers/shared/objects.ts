/** The fields of workload objects that controllers read and write. Other fields keep the type unknown. */

import type { SelectorObject } from '@fleet/apiserver/selectors/selector-object.ts';
import type { KubeObject, ObjectMeta } from '@fleet/client/kube-client.ts';
import type { PodSpec } from '../../pods/pod.ts';

export type IntOrPercent = number | string;

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  lastUpdateTime?: string;
  lastProbeTime?: string;
  observedGeneration?: number;
}

export interface PodTemplate {
  metadata?: Partial<ObjectMeta>;
  spec: PodSpec;
}

/** The fields that every workload kind has. */
export interface Workload extends KubeObject {
  spec: { selector?: SelectorObject; template: PodTemplate; minReadySeconds?: number };
  status?: object;
}
