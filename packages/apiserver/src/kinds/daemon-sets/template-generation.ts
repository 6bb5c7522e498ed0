/** Counts changes of a DaemonSet's template: a field of older versions, stored in an annotation by newer ones. */

import type { KubeObject } from '../../registry/kube-object.ts';

export const templateGenerationKey = 'deprecated.daemonset.template.generation';

/** An annotation that is not a number was not written by Kubernetes. */
export function templateGeneration({ metadata: { annotations = {} } }: KubeObject): number {
  const text = annotations[templateGenerationKey] ?? '';
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : 0;
}

export function setTemplateGeneration({ metadata }: KubeObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGenerationKey]: String(generation) };
}
