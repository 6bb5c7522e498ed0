/** What whoever writes a template of pods is warned of: where it is new, and again with each change of what is wanted. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';
import { templateWarnings } from '../pods/spec-warnings.ts';

export const isOtherGeneration = ({ metadata }: KubeObject, old: KubeObject | undefined): boolean =>
  !old || metadata.generation !== old.metadata.generation;

export const changedTemplateWarnings = (object: KubeObject, old: KubeObject | undefined): string[] =>
  isOtherGeneration(object, old)
    ? templateWarnings((object['spec'] as { template: PodTemplate }).template, 'spec.template')
    : [];
