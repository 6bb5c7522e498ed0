/** Validates the names in a definition's spec and status. */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import { dns1035LabelFaults } from '../../names/name-rules.ts';
import type { Names } from '../definition.ts';

export function namesErrors(names: Partial<Names>, path: string): FieldError[] {
  const wrong = (field: string, value: string, checked: string, prose = ''): FieldError[] => {
    const faults = value ? dns1035LabelFaults(checked) : [];
    return faults.length > 0 ? [invalidValue(`${path}.${field}`, value, `${prose}${faults.join(',')}`)] : [];
  };
  const mixed = 'may have mixed case, but should otherwise match: ';
  const { plural = '', singular = '', kind = '', listKind = '', shortNames = [], categories = [] } = names;
  const each = (field: string, values: readonly string[]): FieldError[] =>
    values.flatMap((value, index) => {
      const faults = dns1035LabelFaults(value);
      return faults.length > 0 ? [invalidValue(`${path}.${field}[${index}]`, value, faults.join(','))] : [];
    });
  return [
    ...wrong('plural', plural, plural),
    ...wrong('singular', singular, singular),
    ...wrong('kind', kind, kind.toLowerCase(), mixed),
    ...wrong('listKind', listKind, listKind.toLowerCase(), mixed),
    ...each('shortNames', shortNames),
    ...(kind && kind === listKind
      ? [invalidValue(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...each('categories', categories),
  ];
}
