/** Validates the tolerations of a pod. */

import { type FieldError, invalidNamedText, invalidValue, notSupported } from '../../errors/field-error.ts';
import { labelKeyFaults, labelValueFaults } from '../../names/name-rules.ts';
import { faultsAt } from '../field-rules.ts';
import type { Toleration } from './pod-spec.ts';

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export const tolerationErrors = (tolerations: readonly Toleration[] = [], path: string): FieldError[] =>
  tolerations.flatMap((toleration, index) => errorsOf(toleration, `${path}[${index}]`));

function errorsOf({ key = '', operator = '', value = '', effect = '', tolerationSeconds }: Toleration, at: string) {
  const all = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  return [
    ...(key ? faultsAt(`${at}.key`, key, labelKeyFaults(key)) : []),
    ...(!key && operator !== 'Exists' ? [invalidNamedText(`${at}.operator`, operator, all)] : []),
    ...(tolerationSeconds !== undefined && effect !== 'NoExecute'
      ? [invalidNamedText(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
    ...operatorErrors(operator, value, `${at}.operator`),
    ...(effect && !taintEffects.includes(effect) ? [notSupported(`${at}.effect`, effect, taintEffects)] : []),
  ];
}

function operatorErrors(operator: string, value: string, field: string): FieldError[] {
  switch (operator) {
    case 'Equal':
    case '': {
      const faults = labelValueFaults(value);
      return faults.length > 0 ? [invalidValue(field, value, faults.join(';'))] : [];
    }
    case 'Exists':
      return value ? [invalidValue(field, value, "value must be empty when `operator` is 'Exists'")] : [];
    case 'Lt':
    case 'Gt':
      return [notSupported(field, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
    default:
      return [notSupported(field, operator, ['Equal', 'Exists'])];
  }
}
