/** ReplicationControllers: the older form of ReplicaSets. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';
import { defaultPodTemplate } from '../pods/pod-spec-defaults.ts';
import { printedColumns } from '../printing/printed-columns.ts';
import { fields } from '../selectable-fields.ts';
import { served } from '../served.ts';
import { controllerErrors } from './controller-rules.ts';

interface ControllerSpec {
  replicas?: number;
  selector?: Record<string, string>;
  template?: PodTemplate;
}

function defaultController(controller: KubeObject): void {
  controller['spec'] ??= {};
  const spec = controller['spec'] as ControllerSpec;
  const labels = spec.template?.metadata?.labels;
  if (labels) {
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
    if (Object.keys(controller.metadata.labels ?? {}).length === 0) controller.metadata.labels = { ...labels };
  }
  spec.replicas ??= 1;
  if (spec.template) defaultPodTemplate(spec.template);
}

export const replicationControllers: PrintedKind = {
  ...served('', 'replicationcontrollers'),
  hasGeneration: true,
  strategy: {
    complete: defaultController,
    validateCreate: controllerErrors,
    validateUpdate: (controller, _old, subresource) => (subresource ? [] : controllerErrors(controller)),
    selectableFields: fields({ 'status.replicas': '0' }),
  },
  columns: printedColumns('', 'v1', 'replicationcontrollers'),
};
