/** Validates StorageClasses (Kubernetes' `storage/validation`). */

import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../errors/field-error.ts';
import { labelKeyFaults } from '../../names/name-rules.ts';
import { immutableErrors } from '../rules/equality.ts';
import { repeatedIn } from '../rules/repeated.ts';
import { sortedMap } from '../rules/shown-values.ts';

interface Expression {
  key?: string;
  values?: string[] | null;
}

interface Topology {
  matchLabelExpressions?: Expression[];
}

export interface StorageClass {
  provisioner?: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
  allowVolumeExpansion?: boolean;
  allowedTopologies?: Topology[];
}

const reclaimPolicies = ['Delete', 'Retain'];
const bindingModes = ['Immediate', 'WaitForFirstConsumer'];
const mostParameters = 512;
const parameterBytes = 256 * 1024;

export function storageClassErrors(given: StorageClass): FieldError[] {
  const { provisioner = '', reclaimPolicy = '', volumeBindingMode: mode } = given;
  return [
    ...(provisioner === '' ? [required('provisioner')] : []),
    ...(provisioner === ''
      ? []
      : labelKeyFaults(provisioner.toLowerCase()).map((fault) =>
          invalidValue('provisioner', provisioner.toLowerCase(), fault),
        )),
    ...parameterErrors(given.parameters ?? {}),
    ...(reclaimPolicy === '' || reclaimPolicies.includes(reclaimPolicy)
      ? []
      : [notSupported('reclaimPolicy', reclaimPolicy, reclaimPolicies)]),
    ...(mode === undefined ? [required('volumeBindingMode')] : []),
    ...(mode === undefined || bindingModes.includes(mode)
      ? []
      : [notSupported('volumeBindingMode', mode, bindingModes)]),
    ...topologiesErrors(given.allowedTopologies ?? []),
  ];
}

function parameterErrors(parameters: Record<string, string>): FieldError[] {
  const all = Object.entries(parameters);
  if (all.length > mostParameters) return [tooLong('parameters', mostParameters)];
  const size = all.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...('' in parameters ? [invalidValue('parameters', '', 'field can not be empty.')] : []),
    ...(size > parameterBytes ? [tooLong('parameters', parameterBytes)] : []),
  ];
}

const maxReported = 50;

function topologiesErrors(topologies: readonly Topology[]): FieldError[] {
  // Kubernetes compares with a list that starts with as many empty elements.
  const times = new Map([['[]', topologies.length]]);
  // Of many, each is reported once, not once for each that it repeats.
  const isMany = topologies.length > maxReported;
  return topologies.flatMap((topology, index) => {
    const at = `allowedTopologies[${index}].matchLabelExpressions`;
    const meaning = meaningOf(topology);
    const before = times.get(meaning) ?? 0;
    times.set(meaning, before + 1);
    return [
      ...expressionsErrors(topology.matchLabelExpressions ?? [], at),
      ...Array.from({ length: isMany ? Math.min(before, 1) : before }, () => duplicateValue(at, '')),
    ];
  });
}

function expressionsErrors(expressions: readonly Expression[], at: string): FieldError[] {
  const repeated = repeatedIn(expressions.map(({ key = '' }) => key));
  return expressions.flatMap((expression, index) => [
    ...expressionErrors(expression, `${at}[${index}]`),
    ...(repeated[index] ? [duplicateValue(`${at}[${index}].key`, expression.key ?? '')] : []),
  ]);
}

/** The values of each key, in any order; a repeated key replaces the earlier one. */
const meaningOf = ({ matchLabelExpressions = [] }: Topology): string => {
  const byKey = new Map(matchLabelExpressions.map(({ key = '', values }) => [key, [...new Set(values ?? [])].sort()]));
  return JSON.stringify([...byKey].sort());
};

function expressionErrors({ key = '', values }: Expression, at: string): FieldError[] {
  const list = values ?? [];
  return [
    ...(list.length === 0 ? [required(`${at}.values`)] : []),
    ...repeatedIn(list).flatMap((isRepeated, index) =>
      isRepeated ? [duplicateValue(`${at}.values[${index}]`, list[index])] : [],
    ),
    ...labelKeyFaults(key).map((fault) => invalidValue(`${at}.key`, key, fault)),
  ];
}

export const storageClassUpdateErrors = (given: StorageClass, old: StorageClass): FieldError[] =>
  (['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const).flatMap((field) =>
    immutableErrors(shown(given, field), shown(old, field), field),
  );

const shown = (given: StorageClass, field: 'parameters' | 'provisioner' | 'reclaimPolicy' | 'volumeBindingMode') =>
  field === 'parameters' ? sortedMap(given.parameters) : given[field];
