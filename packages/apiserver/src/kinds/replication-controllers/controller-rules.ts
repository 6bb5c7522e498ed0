/** Validates ReplicationControllers (`ValidateReplicationControllerSpec`). */

import { type FieldError, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { selectsByObject } from '../../selectors/selector-object.ts';
import { finalizerErrors } from '../core.ts';
import { nonNegativeErrors } from '../field-rules.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';
import { podTemplateErrors } from '../pods/pod-spec-rules.ts';

interface ControllerSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: PodTemplate;
}

export function controllerErrors(controller: KubeObject): FieldError[] {
  const { replicas, minReadySeconds, selector = {}, template } = (controller['spec'] ?? {}) as ControllerSpec;
  return [
    ...finalizerErrors(controller),
    ...nonNegativeErrors('spec.minReadySeconds', minReadySeconds),
    ...(Object.keys(selector).length === 0 ? [required('spec.selector')] : []),
    ...nonNegativeErrors('spec.replicas', replicas),
    ...templateErrors(template, selector),
  ];
}

function templateErrors(template: PodTemplate | undefined, selector: Record<string, string>): FieldError[] {
  if (!template) return [required('spec.template')];
  const labels = template.metadata?.labels ?? {};
  const selects = selectsByObject({ matchLabels: selector }, labels);
  const restart = template.spec?.restartPolicy;
  const why = '`selector` does not match template `labels`';
  return [
    ...(selects ? [] : [invalidValue('spec.template.metadata.labels', labels, why)]),
    ...podTemplateErrors(template, 'spec.template'),
    ...(restart === 'Always' ? [] : [notSupported('spec.template.spec.restartPolicy', restart, ['Always'])]),
  ];
}
