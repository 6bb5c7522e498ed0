/** Validates Pods, in addition to the rules of pod templates. */

import { isDeepStrictEqual } from 'node:util';
import { type FieldError, forbiddenField, invalidValue, required } from '../../errors/field-error.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { finalizerErrors } from '../core.ts';
import { between } from '../field-rules.ts';
import { ephemeralUpdateErrors } from './ephemeral-rules.ts';
import { specOf } from './pod-changes.ts';
import type { Container, PodSpec, Toleration } from './pod-spec.ts';
import { podSpecErrors } from './pod-spec-rules.ts';
import { podStatusErrors } from './pod-status-rules.ts';
import { resizeErrors } from './resize-rules.ts';

const mostInt32 = 2 ** 31 - 1;

function specErrors(pod: KubeObject): FieldError[] {
  const spec = specOf(pod);
  const { name: podName = '' } = pod.metadata;
  return [
    ...podSpecErrors(spec, 'spec', { isPod: true, podName }),
    ...tokenErrors(spec),
    ...(['containers', 'initContainers', 'ephemeralContainers'] as const).flatMap((list) => blankErrors(spec, list)),
  ];
}

const blankErrors = (spec: PodSpec, list: 'containers' | 'initContainers' | 'ephemeralContainers'): FieldError[] =>
  (spec[list] ?? []).flatMap(({ image = '' }, index) =>
    image.trim() === image
      ? []
      : [invalidValue(`spec.${list}[${index}].image`, image, 'must not have leading or trailing whitespace')],
  );

/** A token requires a ServiceAccount. */
function tokenErrors({ serviceAccountName, volumes = [] }: PodSpec): FieldError[] {
  if (serviceAccountName) return [];
  const why = 'must not be specified when serviceAccountName is not set';
  return volumes.flatMap(({ projected }, index) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, at) =>
      serviceAccountToken
        ? [forbiddenField(`spec.volumes[${index}].projected.sources[${at}].serviceAccountToken`, why)]
        : [],
    ),
  );
}

export function podErrors(pod: KubeObject): FieldError[] {
  const spec = specOf(pod);
  return [
    ...finalizerErrors(pod),
    ...specErrors(pod),
    ...(spec.ephemeralContainers?.length
      ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(spec.nodeName && spec.schedulingGates?.length
      ? [forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
  ];
}

export function podUpdateErrors(pod: KubeObject, old: KubeObject, subresource: string | undefined): FieldError[] {
  const [spec, before] = [specOf(pod), specOf(old)];
  switch (subresource) {
    case undefined:
      return [...finalizerErrors(pod), ...finalizerErrors(pod), ...specErrors(pod), ...changeErrors(spec, before)];
    case 'status':
      return [...finalizerErrors(pod), ...podStatusErrors(pod, old)];
    case 'ephemeralcontainers':
      return [...specErrors(pod), ...ephemeralUpdateErrors(spec, before)];
    case 'resize':
      return [...specErrors(pod), ...resizeErrors(pod, old)];
    default:
      return [];
  }
}

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** Few fields of a running pod may change. */
function changeErrors(spec: PodSpec, before: PodSpec): FieldError[] {
  for (const list of ['containers', 'initContainers'] as const)
    if ((spec[list] ?? []).length !== (before[list] ?? []).length)
      return [forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')];
  const deadline = deadlineErrors(spec.activeDeadlineSeconds, before.activeDeadlineSeconds);
  const first = [
    ...(['containers', 'initContainers'] as const).flatMap((list) => [
      ...(spec[list] ?? []).flatMap(({ image }, index) => (image ? [] : [required(`spec.${list}[${index}].image`)])),
      ...blankErrors(spec, list),
    ]),
    ...deadline,
  ];
  // After an invalid deadline kube-apiserver checks nothing more.
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return first;
  const errors = [
    ...first,
    ...addedOnlyErrors(spec.tolerations ?? [], before.tolerations ?? []),
    ...gateErrors(spec, before),
  ];
  if (isDeepStrictEqual(comparable(spec, before), comparable(before, before))) return errors;
  const why = `pod updates may not change fields other than ${changeable.join(',')}\n`;
  return [...errors, forbiddenField('spec', why)];
}

function deadlineErrors(seconds: number | undefined, before: number | undefined): FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  if (seconds === undefined)
    return before === undefined
      ? []
      : [invalidValue(field, null, 'must not update from a positive integer to nil value')];
  if (seconds < 0 || seconds > mostInt32) return [invalidValue(field, seconds, between(0, mostInt32))];
  return before !== undefined && before < seconds
    ? [invalidValue(field, seconds, 'must be less than or equal to previous value')]
    : [];
}

/** Only tolerationSeconds of an existing toleration may change. */
function addedOnlyErrors(tolerations: readonly Toleration[], before: readonly Toleration[]): FieldError[] {
  const shape = ({ key = '', operator = '', value = '', effect = '' }: Toleration) =>
    JSON.stringify([key, operator, value, effect]);
  const shapes = new Set(tolerations.map(shape));
  const isKept = before.every((old) => shapes.has(shape(old)));
  return isKept
    ? []
    : [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')];
}

function gateErrors({ schedulingGates = [] }: PodSpec, before: PodSpec): FieldError[] {
  const known = new Set((before.schedulingGates ?? []).map(({ name }) => name));
  const added = schedulingGates.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  return added.length > 0
    ? [
        forbiddenField(
          `spec.schedulingGates[${schedulingGates.findIndex(({ name }) => name === added[0])}].name`,
          `only deletion is allowed, but found new scheduling gate '${added[0]}'`,
        ),
      ]
    : [];
}

/** Without the fields that may change. */
function comparable(spec: PodSpec, before: PodSpec): PodSpec {
  const { activeDeadlineSeconds: _, tolerations: __, schedulingGates: ___, ...rest } = spec;
  const plain = ({ image: ____, ...container }: Container) => container as Container;
  const isRelaxed = (before.terminationGracePeriodSeconds ?? 0) < 0 && rest.terminationGracePeriodSeconds === 1;
  return {
    ...rest,
    ...(spec.containers ? { containers: spec.containers.map(plain) } : {}),
    ...(spec.initContainers ? { initContainers: spec.initContainers.map(plain) } : {}),
    ...(isRelaxed ? { terminationGracePeriodSeconds: before.terminationGracePeriodSeconds! } : {}),
  };
}
