/** `policy.karmada.io/v1alpha1`: which templates go to which clusters, and how they are changed for them. Names are Karmada's. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { ClusterAffinity } from '@fleet/kube/selectors/cluster-affinity.ts';
import type { Json, LabelSelector, Toleration } from './objects.ts';

export interface PropagationPolicy extends KubeObject {
  spec: PropagationSpec;
}

export interface PropagationSpec {
  resourceSelectors: ResourceSelector[];
  placement?: Placement;
  priority?: number;
  conflictResolution?: ConflictResolution;
  propagateDeps?: boolean;
  preserveResourcesOnDeletion?: boolean;
  suspension?: Suspension;
  dependentOverrides?: string[];
  schedulerName?: string;
  /** Stored, and answered with a warning: later rules honour them. */
  association?: boolean;
  preemption?: 'Always' | 'Never';
  activationPreference?: 'Lazy';
  failover?: Json;
  schedulePriority?: Json;
}

export type ConflictResolution = 'Abort' | 'Overwrite';

export interface ResourceSelector {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name?: string;
  /** Void where a name is given. */
  labelSelector?: LabelSelector;
}

export interface Suspension {
  dispatching?: boolean;
  dispatchingOnClusters?: { clusterNames?: string[] };
}

export interface Placement {
  clusterAffinity?: ClusterAffinity;
  clusterAffinities?: (ClusterAffinity & { affinityName: string })[];
  clusterTolerations?: Toleration[];
  spreadConstraints?: SpreadConstraint[];
  replicaScheduling?: ReplicaScheduling;
}

export interface SpreadConstraint {
  spreadByField?: 'cluster' | 'region' | 'zone' | 'provider';
  spreadByLabel?: string;
  minGroups?: number;
  maxGroups?: number;
}

export interface ReplicaScheduling {
  replicaSchedulingType?: 'Duplicated' | 'Divided';
  replicaDivisionPreference?: 'Aggregated' | 'Weighted';
  weightPreference?: {
    staticWeightList?: { targetCluster: ClusterAffinity; weight: number }[];
    dynamicWeight?: 'AvailableReplicas';
  };
}

/** OverridePolicy and ClusterOverridePolicy. */
export interface OverridePolicy extends KubeObject {
  spec: OverrideSpec;
}

export interface OverrideSpec {
  /** None: everything, in an OverridePolicy of its namespace. */
  resourceSelectors?: ResourceSelector[];
  overrideRules?: OverrideRule[];
  /** The two fields of Karmada's first form, honoured where there are no rules. */
  targetCluster?: ClusterAffinity;
  overriders?: Overriders;
}

export interface OverrideRule {
  targetCluster?: ClusterAffinity;
  overriders: Overriders;
}

export type OverrideOperator = 'add' | 'remove' | 'replace';

export interface Overriders {
  imageOverrider?: ImageOverrider[];
  commandOverrider?: CommandOverrider[];
  argsOverrider?: CommandOverrider[];
  labelsOverrider?: MapOverrider[];
  annotationsOverrider?: MapOverrider[];
  fieldOverrider?: FieldOverrider[];
  plaintext?: PlaintextOverrider[];
}

export interface ImageOverrider {
  predicate?: { path: string };
  component: 'Registry' | 'Repository' | 'Tag';
  operator: OverrideOperator;
  value?: string;
}

export interface CommandOverrider {
  containerName: string;
  operator: OverrideOperator;
  value?: string[];
}

export interface MapOverrider {
  operator: OverrideOperator;
  value?: Record<string, string>;
}

export interface FieldOverrider {
  fieldPath: string;
  json?: FieldPatch[];
  yaml?: FieldPatch[];
}

export interface FieldPatch {
  subPath: string;
  operator: OverrideOperator;
  value?: Json;
}

export interface PlaintextOverrider {
  path: string;
  operator: OverrideOperator;
  value?: Json;
}
