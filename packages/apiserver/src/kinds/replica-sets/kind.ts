/** ReplicaSets. */

import type { FieldError } from '../../errors/field-error.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { defaultPodTemplate } from '../pods/pod-spec-defaults.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { selectorOrNone } from '../printing/selectors.ts';
import { immutableErrors } from '../rules/equality.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { countsErrors } from '../rules/numbers.ts';
import { served } from '../served.ts';
import { nameWarnings } from '../workloads/name-warning.ts';
import { selectedTemplateErrors } from '../workloads/replica-set-rules.ts';
import { replicaStatusErrors } from '../workloads/replica-status-rules.ts';
import { templateCells } from '../workloads/template-columns.ts';
import type { ReplicaStatus, WorkloadSpec } from '../workloads/workload.ts';

interface ReplicaSet {
  spec: WorkloadSpec;
  status: ReplicaStatus;
}

const facts = served('apps', 'replicasets');

const of = (object: KubeObject): ReplicaSet => object as unknown as ReplicaSet;

const specErrors = (spec: WorkloadSpec): FieldError[] => [
  ...countsErrors(spec, ['replicas', 'minReadySeconds'], 'spec'),
  ...selectedTemplateErrors(spec),
];

const statusErrors = (status: ReplicaStatus): FieldError[] => [
  ...countsErrors(
    status,
    [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
      'terminatingReplicas',
    ],
    'status',
  ),
  ...replicaStatusErrors(status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas'),
];

export const replicaSets: PrintedKind = {
  ...facts,
  hasGeneration: true,
  checksAgain: 'nothing',
  strategy: {
    complete: (object) => {
      const { spec } = of(object);
      defaultPodTemplate(spec.template);
      spec.replicas ??= 1;
    },
    validateCreate: (object) => [...objectMetaErrors(object, facts), ...specErrors(of(object).spec)],
    validateUpdate: (object, old, subresource) => [
      ...objectMetaUpdateErrors(object, old),
      ...(subresource === 'status'
        ? statusErrors(of(object).status)
        : [
            ...specErrors(of(object).spec),
            ...immutableErrors(of(object).spec.selector, of(old).spec.selector, 'spec.selector'),
          ]),
    ],
    warnings: (object, old) => (old ? [] : nameWarnings(object)),
    selectableFields: { 'status.replicas': (object) => String(of(object).status?.replicas ?? 0) },
  },
  columns: kindColumns<ReplicaSet>(facts, {
    Desired: ({ spec }) => spec?.replicas ?? 0,
    Current: ({ status }) => status?.replicas ?? 0,
    Ready: ({ status }) => status?.readyReplicas ?? 0,
    ...templateCells,
    Selector: ({ spec }) => selectorOrNone(spec?.selector),
  }),
};
