/** Validates HorizontalPodAutoscalers (Kubernetes' `autoscaling/validation`). */

import { parseQuantity } from '@fleet/kube/quantity.ts';
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import type { AutoscalerSpec, ScalingRules } from './autoscaler.ts';
import { metricErrors } from './metric-rules.ts';
import { type ReferenceOptions, referenceErrors, versionFault } from './reference-rules.ts';

export function autoscalerErrors(spec: AutoscalerSpec, old?: AutoscalerSpec): FieldError[] {
  const { minReplicas, maxReplicas = 0, scaleTargetRef, metrics = [], behavior } = spec;
  const takesAny = hadBadVersion(old);
  // The feature gate for scaling to zero is off; an object that uses it keeps it.
  const lowest = old?.minReplicas === 0 ? 0 : 1;
  return [
    ...(minReplicas !== undefined && minReplicas < lowest
      ? [invalidValue('spec.minReplicas', minReplicas, `must be greater than or equal to ${lowest}`)]
      : []),
    ...(maxReplicas === 0 ? [required('spec.maxReplicas', 'must be set and greater than 0')] : []),
    ...(maxReplicas < 0 ? [invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1')] : []),
    ...(minReplicas !== undefined && maxReplicas < minReplicas
      ? [invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...referenceErrors(scaleTargetRef, 'spec.scaleTargetRef', targetOptions(spec, old)),
    ...metrics.flatMap((metric, index) => metricErrors(metric, `spec.metrics[${index}]`, takesAny)),
    ...(minReplicas === 0 && !metrics.some(({ type = '' }) => ['Object', 'External'].includes(type))
      ? [
          forbiddenField(
            'spec.metrics',
            'must specify at least one Object or External metric to support scaling to zero replicas',
          ),
        ]
      : []),
    ...rulesErrors(behavior?.scaleUp, 'spec.behavior.scaleUp'),
    ...rulesErrors(behavior?.scaleDown, 'spec.behavior.scaleDown'),
  ];
}

/** An unchanged target is not validated again; ReplicationController, the only scalable core kind, needs no group. */
function targetOptions({ scaleTargetRef }: AutoscalerSpec, old: AutoscalerSpec | undefined): ReferenceOptions {
  const { apiVersion, kind } = old?.scaleTargetRef ?? {};
  const isKept = old !== undefined && apiVersion === scaleTargetRef.apiVersion && kind === scaleTargetRef.kind;
  return { takesAnyVersion: isKept, takesNoGroup: scaleTargetRef.kind === 'ReplicationController' };
}

const hadBadVersion = (old: AutoscalerSpec | undefined): boolean =>
  (old?.metrics ?? []).some(
    ({ type, object }) =>
      type === 'Object' && object && versionFault(object.describedObject ?? {}, { takesNoGroup: true }) !== undefined,
  );

const longestWindow = 3600;
const longestPeriod = 1800;
const selections = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];

function rulesErrors(rules: ScalingRules | undefined, at: string): FieldError[] {
  if (!rules) return [];
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules;
  const windowAt = `${at}.stabilizationWindowSeconds`;
  return [
    ...(window !== undefined && window < 0
      ? [invalidValue(windowAt, window, 'must be greater than or equal to zero')]
      : []),
    ...(window !== undefined && window > longestWindow
      ? [invalidValue(windowAt, window, `must be less than or equal to ${longestWindow}`)]
      : []),
    ...(selectPolicy === undefined || selections.includes(selectPolicy)
      ? []
      : [notSupported(`${at}.selectPolicy`, selectPolicy, selections)]),
    ...(policies.length === 0 ? [required(`${at}.policies`, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, index) => policyErrors(policy, `${at}.policies[${index}]`)),
    ...(tolerance !== undefined && parseQuantity(tolerance).nano < 0n
      ? [invalidValue(`${at}.tolerance`, tolerance, 'must be greater than or equal to 0')]
      : []),
  ];
}

function policyErrors(policy: NonNullable<ScalingRules['policies']>[number], at: string): FieldError[] {
  const { type = '', value = 0, periodSeconds = 0 } = policy;
  return [
    ...(policyTypes.includes(type) ? [] : [notSupported(`${at}.type`, type, policyTypes)]),
    ...(value <= 0 ? [invalidValue(`${at}.value`, value, 'must be greater than zero')] : []),
    ...(periodSeconds <= 0 ? [invalidValue(`${at}.periodSeconds`, periodSeconds, 'must be greater than zero')] : []),
    ...(periodSeconds > longestPeriod
      ? [invalidValue(`${at}.periodSeconds`, periodSeconds, `must be less than or equal to ${longestPeriod}`)]
      : []),
  ];
}
