/** What volumes and claims may say of how much they have and who may use it. */

import { parseQuantity } from '@fleet/kube/quantity.ts';
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../errors/field-error.ts';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

export function accessModeErrors(field: string, given: readonly string[] = [], whyRequired = ''): FieldError[] {
  const isMixed =
    given.includes('ReadWriteOncePod') && given.some((mode) => mode !== 'ReadWriteOncePod' && modes.includes(mode));
  return [
    ...(given.length === 0 ? [required(field, whyRequired)] : []),
    ...given.flatMap((mode) => (modes.includes(mode) ? [] : [notSupported(field, mode, modes)])),
    ...(isMixed ? [forbiddenField(field, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

export const positiveErrors = (field: string, amount: string): FieldError[] =>
  parseQuantity(amount).nano <= 0n ? [invalidValue(field, amount, 'must be greater than zero')] : [];
