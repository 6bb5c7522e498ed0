/** Validates the sizes and access modes of volumes and claims. */

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

/** A negative integer of bytes is not a size. */
export function sizeErrors(field: string, amount: string): FieldError[] {
  const bytes = parseQuantity(amount).nano / 1_000_000_000n;
  return bytes < 0n ? [invalidValue(field, Number(bytes), 'must be a valid resource quantity')] : [];
}
