/** Validates numbers of pods that may be percentages (Kubernetes' `apps/validation`). */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import { countErrors } from './numbers.ts';

export type IntOrString = number | string;

const isPercent = /^[0-9]+%$/;

const percentRule =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

export function intOrPercentErrors(value: IntOrString, at: string): FieldError[] {
  if (typeof value === 'number') return countErrors(value, at);
  return isPercent.test(value) ? [] : [invalidValue(at, value, percentRule)];
}

export const above100PercentErrors = (value: IntOrString, at: string): FieldError[] =>
  typeof value === 'string' && isPercent.test(value) && Number.parseInt(value, 10) > 100
    ? [invalidValue(at, value, 'must not be greater than 100%')]
    : [];

/** 0 if it is neither a number nor a percentage, as in Go. */
export function amountOf(value: IntOrString): number {
  if (typeof value === 'number') return value;
  const digits = isPercent.test(value) ? value.slice(0, -1) : value;
  return /^[+-]?[0-9]+$/.test(digits) ? Number(digits) : 0;
}
