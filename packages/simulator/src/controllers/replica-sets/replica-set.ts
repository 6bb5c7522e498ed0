/** The kinds ReplicaSet and ReplicationController, which share a controller. */

import { type SelectorObject, selectsByObject } from '@fleet/apiserver/selectors/selector-object.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { ControllerKind } from '../shared/controller-ref.ts';
import type { Condition, PodTemplate } from '../shared/objects.ts';

export interface ReplicaSetStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: number;
  conditions?: Condition[];
}

export interface ReplicaSet extends KubeObject {
  spec: {
    replicas?: number;
    minReadySeconds?: number;
    /** Labels, in a ReplicationController. */
    selector: SelectorObject | Record<string, string>;
    template: PodTemplate;
  };
  status?: ReplicaSetStatus;
}

export interface ReplicaKind extends ControllerKind {
  component: string;
  selects(set: ReplicaSet, labels: Readonly<Record<string, string>>): boolean;
  /** ReplicationControllers do not have that field. */
  countsTerminating: boolean;
}

export const replicaSets: ReplicaKind = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  root: 'apis/apps/v1',
  resource: 'replicasets',
  component: 'replicaset-controller',
  selects: ({ spec }, labels) => selectsByObject(spec.selector as SelectorObject, labels),
  countsTerminating: true,
};

export const replicationControllers: ReplicaKind = {
  apiVersion: 'v1',
  kind: 'ReplicationController',
  root: 'api/v1',
  resource: 'replicationcontrollers',
  component: 'replication-controller',
  selects: ({ spec }, labels) => selectsByObject({ matchLabels: spec.selector as Record<string, string> }, labels),
  countsTerminating: false,
};

export const replicasOf = ({ spec }: ReplicaSet): number => spec.replicas ?? 1;
