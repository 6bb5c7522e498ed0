/** Validates fields of many kinds: ports, numbers, labels, quantities, paths, with Kubernetes' error texts. */

import { parseQuantity } from '@fleet/kube/quantity.ts';
import { type FieldError, invalidValue, notSupported, required } from '../errors/field-error.ts';
import { labelKeyFaults, labelValueFaults, type NameRule } from '../names/name-rules.ts';

const mostPort = 65_535;

export const notNegative = 'must be greater than or equal to 0';

export const between = (least: number, most: number): string => `must be between ${least} and ${most}, inclusive`;

export const faultsAt = (field: string, value: unknown, faults: readonly string[]): FieldError[] =>
  faults.map((fault) => invalidValue(field, value, fault));

/** For a required text. */
export const namedErrors = (field: string, name: string | undefined, rule: NameRule): FieldError[] =>
  name ? faultsAt(field, name, rule(name)) : [required(field)];

export const portNumberErrors = (field: string, port: number): FieldError[] =>
  port >= 1 && port <= mostPort ? [] : [invalidValue(field, port, between(1, mostPort))];

export const portNameFaults: NameRule = (name) => [
  ...(Buffer.byteLength(name) > 15 ? ['must be no more than 15 characters'] : []),
  ...(/^[-a-z0-9]+$/.test(name) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
  ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(name.startsWith('-') || name.endsWith('-') ? ['must not begin or end with a hyphen'] : []),
];

export const portErrors = (field: string, port: number | string = 0): FieldError[] =>
  typeof port === 'string' ? faultsAt(field, port, portNameFaults(port)) : portNumberErrors(field, port);

export const nonNegativeErrors = (field: string, value = 0): FieldError[] =>
  value < 0 ? [invalidValue(field, value, notNegative)] : [];

export const labelErrorsAt = (field: string, labels: Readonly<Record<string, string>> = {}): FieldError[] =>
  Object.entries(labels).flatMap(([key, value]) => [
    ...faultsAt(field, key, labelKeyFaults(key)),
    ...faultsAt(field, value, labelValueFaults(value)),
  ]);

export const enumErrors = (field: string, value: string | undefined, allowed: readonly string[]): FieldError[] => {
  if (!value) return [required(field)];
  return allowed.includes(value) ? [] : [notSupported(field, value, allowed)];
};

export const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];

export const isNegative = (quantity: string): boolean => parseQuantity(quantity).nano < 0n;

export const nonNegativeQuantityErrors = (field: string, quantity: string): FieldError[] =>
  isNegative(quantity) ? [invalidValue(field, quantity, notNegative)] : [];

export const backstepErrors = (field: string, path: string): FieldError[] =>
  path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : [];

export const descendingPathErrors = (field: string, path: string): FieldError[] => [
  ...(path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : []),
  ...backstepErrors(field, path),
];
