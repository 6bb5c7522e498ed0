/** The kind ReplicaSet. */

import type { FieldError } from '../../errors/field-error.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { defaultPodTemplate } from '../pods/pod-spec-defaults.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { selectorOrNone } from '../printing/selectors.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { countsErrors } from '../rules/numbers.ts';
import { served } from '../served.ts';
import { nameWarnings } from '../workloads/name-warning.ts';
import { selectedTemplateErrors } from '../workloads/replica-set-rules.ts';
import { replicaSetStatusErrors } from '../workloads/replica-status-rules.ts';
import { immutableSelectorErrors } from '../workloads/selector-rules.ts';
import { templateCells } from '../workloads/template-columns.ts';
import { changedTemplateWarnings } from '../workloads/template-warnings.ts';
import { type ReplicaStatus, type WorkloadSpec, withoutReplicas } from '../workloads/workload.ts';

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

export const replicaSets: PrintedKind = {
  ...facts,
  hasGeneration: true,
  checksAgain: 'nothing',
  strategy: {
    completeEmpty: withoutReplicas,
    complete: (object) => {
      const { spec } = of(object);
      defaultPodTemplate(spec.template);
      spec.replicas ??= 1;
    },
    validateCreate: (object) => [...objectMetaErrors(object, facts), ...specErrors(of(object).spec)],
    validateUpdate: (object, old, subresource) => [
      ...objectMetaUpdateErrors(object, old),
      ...(subresource === 'status'
        ? replicaSetStatusErrors(of(object).status)
        : [
            ...specErrors(of(object).spec),
            ...immutableSelectorErrors(of(object).spec.selector, of(old).spec.selector),
          ]),
    ],
    warnings: (object, old) => [...(old ? [] : nameWarnings(object)), ...changedTemplateWarnings(object, old)],
  },
  columns: kindColumns<ReplicaSet>(facts, {
    Desired: ({ spec }) => spec?.replicas ?? 0,
    Current: ({ status }) => status?.replicas ?? 0,
    Ready: ({ status }) => status?.readyReplicas ?? 0,
    ...templateCells,
    Selector: ({ spec }) => selectorOrNone(spec?.selector),
  }),
};
