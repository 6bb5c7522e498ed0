/**
 * The operations whose result depends on the kind of an object. Kinds of Kubernetes have native rules (FED-12); exploring webhooks answer
 * for custom resources (EXP-3). None of these functions changes its arguments.
 */

import type { AggregatedStatusItem, Health, ReplicaRequirements } from '../api/bindings.ts';
import type { AnyObject, JsonObject, LabelSelector } from '../api/objects.ts';

export interface Replicas {
  replicas: number;
  requirements?: ReplicaRequirements;
}

/** An object that has to be wherever the template is: by name, or all that a selector matches. */
export interface Dependency {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name?: string;
  labelSelector?: LabelSelector;
}

/** Something of a template that clusters share in proportion to their replicas. */
export interface Divided {
  /** Undefined: the template has none of it. */
  total(template: AnyObject): number | undefined;
  /** The template with the share of one cluster. */
  revise(template: AnyObject, share: number): AnyObject;
}

/** Rules of one kind. What is missing is decided by the pipeline: no replicas, nothing retained, the whole status, healthy. */
export interface ObjectRules {
  replicas?(template: AnyObject): Replicas;
  /** The template as one cluster is to have it. */
  revise?(template: AnyObject, replicas: number): AnyObject;
  /** What is divided where replicas are Divided, beside them: the completions of a Job (FED-5). */
  divided?: Divided;
  /** What of a template is left out of a Work, beside what is left out of every kind (FED-18). */
  pack?(manifest: AnyObject): AnyObject;
  /** `desired` with what the member owns of `observed` (FED-8, FED-12). */
  retain?(desired: AnyObject, observed: AnyObject): AnyObject;
  /** What of the member's object is reported in the Work. Undefined: nothing. */
  reflect?(observed: AnyObject): JsonObject | undefined;
  /** The template with the status that its clusters have together. */
  aggregate?(template: AnyObject, items: readonly AggregatedStatusItem[]): AnyObject;
  health?(observed: AnyObject): Health;
  dependencies?(template: AnyObject): Dependency[];
}
