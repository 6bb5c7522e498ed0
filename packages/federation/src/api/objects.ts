/** What all objects of the pipeline share: any Kubernetes object as JSON, conditions, references. */

import type { KubeObject } from '@fleet/client/kube-client.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A resource template, a manifest, or an object of a member: whatever its kind, with all of its fields. */
export interface AnyObject extends KubeObject {
  apiVersion: string;
  kind: string;
  [field: string]: unknown;
}

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** Resource names to quantities. */
export type ResourceList = Record<string, string>;

export interface Toleration {
  key?: string;
  operator?: 'Exists' | 'Equal';
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}
