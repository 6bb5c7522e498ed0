/** The kind PodDisruptionBudget (Kubernetes' `policy/validation`). */

import { type FieldError, invalidValue, notSupported } from '../../errors/field-error.ts';
import { pathSegmentFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import type { SelectorObject } from '../../selectors/selector-object.ts';
import { labelSelectorErrors } from '../label-selector-rules.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { type Condition, conditionErrors } from '../rules/conditions.ts';
import { above100PercentErrors, type IntOrString, intOrPercentErrors } from '../rules/int-or-percent.ts';
import { countsErrors } from '../rules/numbers.ts';
import { served } from '../served.ts';

interface DisruptionBudget {
  spec: {
    minAvailable?: IntOrString;
    maxUnavailable?: IntOrString;
    selector?: SelectorObject;
    unhealthyPodEvictionPolicy?: string;
  };
  status: { disruptionsAllowed?: number; conditions?: Condition[] };
}

const facts = served('policy', 'poddisruptionbudgets');

const of = (object: KubeObject): DisruptionBudget => object as unknown as DisruptionBudget;

const policies = ['AlwaysAllow', 'IfHealthyBudget'];

function specErrors({ spec }: DisruptionBudget): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  return [
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [invalidValue('spec', shown(spec), 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...(['minAvailable', 'maxUnavailable'] as const).flatMap((field) => {
      const value = spec[field];
      const at = `spec.${field}`;
      return value === undefined ? [] : [...intOrPercentErrors(value, at), ...above100PercentErrors(value, at)];
    }),
    ...labelSelectorErrors(selector ?? {}, 'spec.selector'),
    ...(policy === undefined || policies.includes(policy)
      ? []
      : [notSupported('spec.unhealthyPodEvictionPolicy', policy, policies)]),
  ];
}

/** Kubernetes' internal form, which error texts show. */
const shown = (spec: DisruptionBudget['spec']) => ({
  MinAvailable: spec.minAvailable ?? null,
  Selector: spec.selector ?? null,
  MaxUnavailable: spec.maxUnavailable ?? null,
  UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
});

const statusErrors = ({ status }: DisruptionBudget): FieldError[] => [
  ...conditionErrors(status.conditions ?? [], 'status.conditions'),
  ...countsErrors(status, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'], 'status'),
];

export const disruptionBudgets: PrintedKind = {
  ...facts,
  hasGeneration: true,
  // A PUT without a resourceVersion is refused.
  allowsUnconditionalUpdate: false,
  checksAgain: 'nothing',
  nameFaults: pathSegmentFaults,
  strategy: {
    validateCreate: (object) => specErrors(of(object)),
    validateUpdate: (object, _, subresource) =>
      subresource === 'status' ? statusErrors(of(object)) : specErrors(of(object)),
  },
  columns: kindColumns<DisruptionBudget>(facts, {
    'Min Available': ({ spec }) => String(spec?.minAvailable ?? 'N/A'),
    'Max Unavailable': ({ spec }) => String(spec?.maxUnavailable ?? 'N/A'),
    'Allowed Disruptions': ({ status }) => status?.disruptionsAllowed ?? 0,
  }),
};
