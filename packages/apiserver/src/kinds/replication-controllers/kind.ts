/** The kind ReplicationController, the predecessor of ReplicaSet. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { finalizerErrors } from '../core.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';
import { defaultPodTemplate } from '../pods/pod-spec-defaults.ts';
import { templateWarnings } from '../pods/spec-warnings.ts';
import { fields } from '../selectable-fields.ts';
import { served } from '../served.ts';
import { nameWarnings } from '../workloads/name-warning.ts';
import { replicaSetStatusErrors } from '../workloads/replica-status-rules.ts';
import { isOtherGeneration } from '../workloads/template-warnings.ts';
import type { ReplicaStatus } from '../workloads/workload.ts';
import { controllerColumns } from './columns.ts';
import { controllerErrors } from './controller-rules.ts';

interface ControllerSpec {
  replicas?: number;
  selector?: Record<string, string>;
  template?: PodTemplate;
}

const templateOf = ({ spec }: KubeObject): PodTemplate => (spec as ControllerSpec).template ?? {};

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
  allowsAnyPrefix: true,
  orphansDependents: '',
  strategy: {
    complete: defaultController,
    validateCreate: controllerErrors,
    validateUpdate: (controller, _old, subresource) =>
      subresource
        ? [...finalizerErrors(controller), ...replicaSetStatusErrors((controller['status'] ?? {}) as ReplicaStatus)]
        : controllerErrors(controller),
    // On an update Kubernetes checks the old template.
    warnings: (controller, old, subresource) => [
      ...(old ? [] : nameWarnings(controller)),
      ...(subresource !== 'status' && isOtherGeneration(controller, old)
        ? templateWarnings(templateOf(old ?? controller), 'spec.template')
        : []),
    ],
    selectableFields: fields({ 'status.replicas': '0' }),
  },
  columns: controllerColumns,
};
