/** What kinds with `spec.replicas` and `spec.template` have in common. */

import type { AnyObject } from '../../api/objects.ts';
import type { Dependency, Replicas } from '../object-rules.ts';
import { type Fields, numberAt, recordAt, withField } from './fields.ts';
import { podDependencies } from './pod-dependencies.ts';
import { requirementsOf } from './pod-requests.ts';

const podSpecOf = (template: AnyObject): Fields => recordAt(template, 'spec', 'template', 'spec');

/** One where the template has none, as Kubernetes makes it. */
export const templateReplicas = (template: AnyObject): Replicas =>
  replicasOf(template, numberAt(template, 'spec', 'replicas') ?? 1, podSpecOf(template));

export function replicasOf({ metadata }: AnyObject, replicas: number, podSpec: Fields): Replicas {
  const requirements = requirementsOf(podSpec, metadata.namespace);
  return { replicas, ...(requirements && { requirements }) };
}

export const reviseReplicas = (template: AnyObject, replicas: number): AnyObject =>
  withField(template, ['spec', 'replicas'], replicas);

export const templateDependencies = (template: AnyObject): Dependency[] =>
  podDependencies(podSpecOf(template), template.metadata.namespace);
