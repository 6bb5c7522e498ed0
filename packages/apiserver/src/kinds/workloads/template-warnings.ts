/** Warnings about a pod template: when it is created, and with each change of the generation. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';
import { templateWarnings } from '../pods/spec-warnings.ts';

export const isOtherGeneration = ({ metadata }: KubeObject, old: KubeObject | undefined): boolean =>
  !old || metadata.generation !== old.metadata.generation;

export const changedTemplateWarnings = (object: KubeObject, old: KubeObject | undefined): string[] =>
  isOtherGeneration(object, old)
    ? templateWarnings((object['spec'] as { template: PodTemplate }).template, 'spec.template')
    : [];
