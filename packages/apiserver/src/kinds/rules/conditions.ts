/** Validates conditions in a status (apimachinery's `ValidateConditions`). */

import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../errors/field-error.ts';
import { labelKeyFaults } from '../../names/name-rules.ts';

export interface Condition {
  type: string;
  status: string;
  observedGeneration?: number;
  /** Null where Go writes a zero time. */
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

const statuses = ['False', 'True', 'Unknown'];
const longestReason = 1024;
const longestMessage = 32 * 1024;

const isReason = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const reasonRule =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

export function conditionErrors(conditions: readonly Condition[], at: string): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, index) => {
    const { type = '' } = condition;
    const again = seen.has(type) ? [duplicateValue(`${at}[${index}].type`, type)] : [];
    seen.add(type);
    return [...again, ...oneErrors(condition, `${at}[${index}]`)];
  });
}

function oneErrors(condition: Condition, at: string): FieldError[] {
  const { type = '', status = '', observedGeneration = 0, lastTransitionTime, reason = '', message = '' } = condition;
  return [
    ...labelKeyFaults(type).map((fault) => invalidValue(`${at}.type`, type, fault)),
    ...(statuses.includes(status) ? [] : [notSupported(`${at}.status`, status, statuses)]),
    ...(observedGeneration < 0
      ? [invalidValue(`${at}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero')]
      : []),
    ...(lastTransitionTime ? [] : [required(`${at}.lastTransitionTime`)]),
    ...reasonErrors(reason, `${at}.reason`),
    ...(Buffer.byteLength(message) > longestMessage ? [tooLong(`${at}.message`, longestMessage)] : []),
  ];
}

function reasonErrors(reason: string, at: string): FieldError[] {
  if (reason === '') return [required(at)];
  return [
    ...(isReason.test(reason) ? [] : [invalidValue(at, reason, reasonRule)]),
    ...(Buffer.byteLength(reason) > longestReason ? [tooLong(at, longestReason)] : []),
  ];
}
