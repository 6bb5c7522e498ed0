/** What is wrong with a StorageClass (Kubernetes' `storage/validation`). */

import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../errors/field-error.ts';
import { labelKeyFaults } from '../../names/name-rules.ts';
import { immutableErrors, isSame } from '../rules/equality.ts';

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

function topologiesErrors(topologies: readonly Topology[]): FieldError[] {
  const meanings = topologies.map(meaningOf);
  return topologies.flatMap(({ matchLabelExpressions = [] }, index) => {
    const at = `allowedTopologies[${index}].matchLabelExpressions`;
    const keys = matchLabelExpressions.map(({ key = '' }) => key);
    return [
      ...matchLabelExpressions.flatMap((expression, place) => [
        ...expressionErrors(expression, `${at}[${place}]`),
        ...(keys.indexOf(keys[place]!) < place ? [duplicateValue(`${at}[${place}].key`, keys[place])] : []),
      ]),
      // Kubernetes begins with as many empty ones to compare with as there are.
      ...[...meanings.slice(0, index), ...meanings.map(() => ({}))]
        .filter((other) => isSame(other, meanings[index]))
        .map(() => duplicateValue(at, '')),
    ];
  });
}

/** Which values each key may have, in any order; the last of a key counts. */
const meaningOf = ({ matchLabelExpressions = [] }: Topology): object =>
  Object.fromEntries(matchLabelExpressions.map(({ key = '', values }) => [key, [...new Set(values ?? [])].sort()]));

function expressionErrors({ key = '', values }: Expression, at: string): FieldError[] {
  const list = values ?? [];
  return [
    ...(list.length === 0 ? [required(`${at}.values`)] : []),
    ...list.flatMap((value, index) =>
      list.indexOf(value) < index ? [duplicateValue(`${at}.values[${index}]`, value)] : [],
    ),
    ...labelKeyFaults(key).map((fault) => invalidValue(`${at}.key`, key, fault)),
  ];
}

export const storageClassUpdateErrors = (given: StorageClass, old: StorageClass): FieldError[] =>
  (['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const).flatMap((field) =>
    immutableErrors(given[field], old[field], field),
  );
