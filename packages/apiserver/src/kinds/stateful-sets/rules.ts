/** Validates StatefulSets (Kubernetes' `apps/validation`). */

import {
  type FieldError,
  forbiddenField,
  invalidNamedText,
  invalidValue,
  notSupported,
} from '../../errors/field-error.ts';
import { dnsLabelFaults } from '../../names/name-rules.ts';
import { labelErrorsAt } from '../field-rules.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';
import { podTemplateErrors } from '../pods/pod-spec-rules.ts';
import { isSame } from '../rules/equality.ts';
import { countErrors, countsErrors } from '../rules/numbers.ts';
import { shownSelector } from '../rules/shown-values.ts';
import { claimSpecErrors } from '../volumes/claim-rules.ts';
import { replicaStatusErrors } from '../workloads/replica-status-rules.ts';
import { isSelector, matches, requiredSelectorErrors, unmatchedErrors } from '../workloads/selector-rules.ts';
import { lastingPodErrors } from '../workloads/template-rules.ts';
import type { ReplicaStatus } from '../workloads/workload.ts';
import type { StatefulSetSpec } from './stateful-set.ts';
import { updateStrategyErrors } from './update-strategy-rules.ts';

export const statefulSetErrors = (spec: StatefulSetSpec): FieldError[] =>
  specErrors(spec, { claims: claimErrors(spec), service: serviceErrors(spec), pods: podErrors(spec) });

/** Immutable fields are not validated again, nor a template that was invalid before. */
export function statefulSetUpdateErrors(spec: StatefulSetSpec, old: StatefulSetSpec): FieldError[] {
  const wasBad = specErrors(old, { pods: podErrors(old) }).length > 0;
  return [
    ...specErrors(spec, wasBad ? {} : { pods: podErrors(spec) }),
    ...(isSame(fixed(spec), fixed(old)) ? [] : [forbiddenField('spec', fixedRule)]),
  ];
}

const changeable = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
];

const fixedRule =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

const fixed = (spec: StatefulSetSpec) =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => !changeable.includes(field)));

/** Errors that are not checked in every case. */
interface Found {
  claims?: FieldError[];
  service?: FieldError[];
  pods?: FieldError[];
}

function specErrors(spec: StatefulSetSpec, { claims = [], service = [], pods = [] }: Found): FieldError[] {
  const { selector, template } = spec;
  return [
    ...managementErrors(spec.podManagementPolicy ?? ''),
    ...updateStrategyErrors(spec.updateStrategy, 'spec.updateStrategy'),
    ...retentionErrors(spec.persistentVolumeClaimRetentionPolicy ?? {}),
    ...claims,
    ...countsErrors(spec, ['replicas', 'minReadySeconds'], 'spec'),
    ...countErrors(spec.ordinals?.start, 'spec.ordinals.start'),
    ...service,
    ...requiredSelectorErrors(selector, 'spec.selector', 'statefulset'),
    ...(selector && !isSelector(selector)
      ? [invalidValue('spec.selector', shownSelector(selector), '')]
      : [
          ...(matches(selector, template) ? [] : unmatchedErrors(template, 'spec.template')),
          ...pods,
          ...labelErrorsAt('spec.template.labels', template.metadata?.labels),
        ]),
    ...lastingPodErrors(template, 'spec.template', 'StatefulSet'),
  ];
}

const claimErrors = ({ volumeClaimTemplates = [] }: StatefulSetSpec): FieldError[] =>
  volumeClaimTemplates.flatMap((claim, index) =>
    claimSpecErrors(claim.spec, `spec.volumeClaimTemplates[${index}].spec`),
  );

const podErrors = (spec: StatefulSetSpec): FieldError[] => podTemplateErrors(podsOf(spec), 'spec.template');

const serviceErrors = ({ serviceName = '' }: StatefulSetSpec): FieldError[] =>
  serviceName === ''
    ? []
    : dnsLabelFaults(serviceName).map((fault) => invalidValue('spec.serviceName', serviceName, fault));

/** The controller sets host names, and adds volumes for the claims. */
function podsOf({ template, volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplate {
  const { hostname: _, subdomain: __, ...spec } = template.spec ?? {};
  const names = new Set(volumeClaimTemplates.map(({ metadata: { name = '' } }) => name));
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const volumes = [...claims, ...(spec.volumes ?? []).filter(({ name }) => !names.has(name))];
  return { ...template, spec: { ...spec, ...(volumes.length > 0 ? { volumes } : {}) } };
}

const managementErrors = (policy: string): FieldError[] =>
  ['OrderedReady', 'Parallel'].includes(policy)
    ? []
    : [invalidNamedText('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")];

const retentionErrors = (policy: NonNullable<StatefulSetSpec['persistentVolumeClaimRetentionPolicy']>): FieldError[] =>
  (['whenDeleted', 'whenScaled'] as const).flatMap((field) => {
    const value = policy[field] ?? '';
    const at = `spec.persistentVolumeClaimRetentionPolicy.${field}`;
    return ['Retain', 'Delete'].includes(value) ? [] : [notSupported(at, value, ['Retain', 'Delete'])];
  });

const counts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;

export const statefulSetStatusErrors = (status: ReplicaStatus): FieldError[] => [
  ...countsErrors(status, ['replicas', ...counts, 'observedGeneration', 'collisionCount'], 'status'),
  ...replicaStatusErrors(status, counts, 'status.readyReplicas'),
];
