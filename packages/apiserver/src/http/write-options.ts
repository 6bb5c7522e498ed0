/** Parses the options of a write from its query, with kube-apiserver's validation. */

import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../errors/field-error.ts';
import { invalid } from '../errors/refusals.ts';
import type { FieldValidation } from './strict-fields.ts';

export interface WriteQuery {
  /** Everything is checked, and nothing is written. */
  dryRun: boolean;
  fieldValidation: FieldValidation;
}

const longestManager = 128;
const directives: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

export function readWriteOptions(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  patch?: 'apply' | 'other',
): WriteQuery {
  const fieldValidation = query.get('fieldValidation') ?? '';
  const manager = query.get('fieldManager') ?? '';
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  const errors = [
    ...(patch === 'apply' && !manager ? [required('fieldManager', 'is required for apply patch')] : []),
    ...(patch === 'other' && query.has('force')
      ? [forbiddenField('force', 'may not be specified for non-apply patch')]
      : []),
    ...managerErrors(manager),
    ...dryRunErrors(dryRun),
    ...(directives.includes(fieldValidation) ? [] : [notSupported('fieldValidation', fieldValidation, directives)]),
  ];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
  return { dryRun: dryRun.length > 0, fieldValidation: (fieldValidation || 'Warn') as FieldValidation };
}

export const dryRunErrors = (values: readonly string[]): FieldError[] =>
  values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])];

function managerErrors(manager: string): FieldError[] {
  let at = 0;
  const unprintable = [...manager].flatMap((character) => {
    const position = at;
    at += Buffer.byteLength(character);
    if (!/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(character)) return [];
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return [invalidValue('fieldManager', manager, `invalid character U+${code} (at position ${position})`)];
  });
  return [
    ...(Buffer.byteLength(manager) > longestManager ? [tooLong('fieldManager', longestManager)] : []),
    ...unprintable,
  ];
}
