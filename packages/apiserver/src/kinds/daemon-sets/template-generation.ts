/** How often a DaemonSet's template was changed: a field of older versions, which newer ones keep in an annotation. */

import type { KubeObject } from '../../registry/kube-object.ts';

export const templateGenerationKey = 'deprecated.daemonset.template.generation';

/** What is no number was never written by Kubernetes. */
export function templateGeneration({ metadata: { annotations = {} } }: KubeObject): number {
  const text = annotations[templateGenerationKey] ?? '';
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : 0;
}

export function setTemplateGeneration({ metadata }: KubeObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGenerationKey]: String(generation) };
}
