/** The kind PriorityClass (Kubernetes' `scheduling/validation`). */

import { type FieldError, forbiddenField, notSupported, required } from '../../errors/field-error.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { immutableErrors } from '../rules/equality.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { served } from '../served.ts';

interface PriorityClass {
  value: number;
  globalDefault?: boolean;
  preemptionPolicy?: string;
}

const facts = served('scheduling.k8s.io', 'priorityclasses');

const of = (object: KubeObject): PriorityClass => object as unknown as PriorityClass;

const highestOfUsers = 1_000_000_000;
const systemPrefix = 'system-';
const systemClasses: Readonly<Record<string, number>> = {
  'system-node-critical': 2 * highestOfUsers + 1000,
  'system-cluster-critical': 2 * highestOfUsers,
};

const policies = ['PreemptLowerPriority', 'Never'];

function classErrors(object: KubeObject): FieldError[] {
  const { preemptionPolicy } = of(object);
  const at = 'preemptionPolicy';
  return [
    ...objectMetaErrors(object, facts),
    ...valueErrors(object.metadata.name ?? '', of(object)),
    ...(preemptionPolicy === '' ? [required(at)] : []),
    ...(preemptionPolicy && !policies.includes(preemptionPolicy) ? [notSupported(at, preemptionPolicy, policies)] : []),
  ];
}

function valueErrors(name: string, { value, globalDefault = false }: PriorityClass): FieldError[] {
  if (!name.startsWith(systemPrefix))
    return value > highestOfUsers
      ? [forbiddenField('value', `maximum allowed value of a user defined priority is ${highestOfUsers}`)]
      : [];
  const fault = systemFault(name, value, globalDefault);
  return fault === undefined
    ? []
    : [
        forbiddenField(
          'metadata.name',
          `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${fault}`,
        ),
      ];
}

function systemFault(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = systemClasses[name];
  if (known === undefined) return `${name} is not a known system priority class`;
  if (known !== value) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

export const priorityClasses: PrintedKind = {
  ...facts,
  checksAgain: 'nothing',
  strategy: {
    complete: (object) => {
      of(object).preemptionPolicy ??= 'PreemptLowerPriority';
    },
    // The generation stays 1: changes are not counted.
    prepareForCreate: ({ metadata }) => {
      metadata.generation = 1;
    },
    validateCreate: classErrors,
    validateUpdate: (object, old) => [
      ...objectMetaUpdateErrors(object, old),
      ...(of(object).value === of(old).value ? [] : [forbiddenField('value', 'may not be changed in an update.')]),
      ...immutableErrors(of(object).preemptionPolicy, of(old).preemptionPolicy, 'preemptionPolicy'),
    ],
  },
  columns: kindColumns<PriorityClass>(facts, {
    Value: ({ value = 0 }) => value,
    'Global-Default': ({ globalDefault = false }) => globalDefault,
    PreemptionPolicy: ({ preemptionPolicy = '' }) => preemptionPolicy,
  }),
};
