/** Validates the environment of a container. */

import { type FieldError, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import { dnsSubdomainFaults, labelKeyFaults } from '../../names/name-rules.ts';
import { keyFaults } from '../config-data.ts';
import { faultsAt } from '../field-rules.ts';
import type { Container, EnvVar, FieldRef } from './pod-spec.ts';
import { resourceRefErrors } from './resource-ref-rules.ts';

const printable = /^[ -<>-~]+$/;
const nameRule = "a valid environment variable name must consist only of printable ASCII characters other than '='";

const variableErrors = (field: string, name: string): FieldError[] =>
  printable.test(name) ? [] : [invalidValue(field, name, nameRule)];

const fieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const known = [...fieldPaths, 'metadata.annotations', 'metadata.labels'];

export function fieldRefErrors({ fieldPath = '' }: FieldRef, field: string, allowed = fieldPaths): FieldError[] {
  if (fieldPath === '') return [required(`${field}.fieldPath`)];
  const [, path, subscript] = /^([^[\]]+)\['(.*)'\]$/.exec(fieldPath) ?? [];
  if (path !== undefined && subscript !== undefined) {
    if (path === 'metadata.annotations') return faultsAt(field, subscript.toLowerCase(), labelKeyFaults(subscript));
    if (path === 'metadata.labels') return faultsAt(field, subscript, labelKeyFaults(subscript));
  }
  if (!known.includes(fieldPath))
    return [
      invalidValue(
        `${field}.fieldPath`,
        fieldPath,
        `error converting fieldPath: field label not supported: ${fieldPath}`,
      ),
    ];
  return allowed.includes(fieldPath) ? [] : [notSupported(`${field}.fieldPath`, fieldPath, [...allowed].sort())];
}

const keyErrors = ({ name = '', key = '' }: { name?: string; key?: string }, field: string): FieldError[] => [
  ...faultsAt(`${field}.name`, name, dnsSubdomainFaults(name)),
  ...(key === '' ? [required(`${field}.key`)] : faultsAt(`${field}.key`, key, keyFaults(key))),
];

function sourceErrors({ value, valueFrom }: EnvVar, field: string): FieldError[] {
  if (!valueFrom) return [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length;
  return [
    ...(fieldRef ? fieldRefErrors(fieldRef, `${field}.fieldRef`) : []),
    ...(resourceFieldRef ? resourceRefErrors(resourceFieldRef, `${field}.resourceFieldRef`, false) : []),
    ...(configMapKeyRef ? keyErrors(configMapKeyRef, `${field}.configMapKeyRef`) : []),
    ...(secretKeyRef ? keyErrors(secretKeyRef, `${field}.secretKeyRef`) : []),
    ...countErrors(count, value, field),
  ];
}

function countErrors(count: number, value: string | undefined, field: string): FieldError[] {
  if (count === 0) {
    const all = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    return [invalidValue(field, '', `must specify one of: ${all}`)];
  }
  if (value) return [invalidValue(field, '', 'may not be specified when `value` is not empty')];
  return count > 1 ? [invalidValue(field, '', 'may not have more than one field specified at a time')] : [];
}

export function environmentErrors({ env = [], envFrom = [] }: Container, path: string): FieldError[] {
  return [
    ...env.flatMap((variable, index) => [
      ...(variable.name
        ? variableErrors(`${path}.env[${index}].name`, variable.name)
        : [required(`${path}.env[${index}].name`)]),
      ...sourceErrors(variable, `${path}.env[${index}].valueFrom`),
    ]),
    ...envFrom.flatMap(({ prefix, configMapRef, secretRef }, index) => {
      const at = `${path}.envFrom[${index}]`;
      const named = (field: string, name = '') =>
        name ? faultsAt(field, name, dnsSubdomainFaults(name)) : [required(field)];
      const count = Number(Boolean(configMapRef)) + Number(Boolean(secretRef));
      return [
        ...(prefix ? variableErrors(`${at}.prefix`, prefix) : []),
        ...(configMapRef ? named(`${at}.configMapRef.name`, configMapRef.name) : []),
        ...(secretRef ? named(`${at}.secretRef.name`, secretRef.name) : []),
        ...(count === 0
          ? [invalidValue(`${path}.envFrom`, '', 'must specify one of: `configMapRef` or `secretRef`')]
          : []),
        ...(count > 1
          ? [invalidValue(`${path}.envFrom`, '', 'may not have more than one field specified at a time')]
          : []),
      ];
    }),
  ];
}
