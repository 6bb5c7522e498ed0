/** Validates counts. */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';

/** An absent number is valid. */
export const countErrors = (value: number | undefined, at: string): FieldError[] =>
  value !== undefined && value < 0 ? [invalidValue(at, value, 'must be greater than or equal to 0')] : [];

/** For several fields of an object, in this order. */
export const countsErrors = (counts: object, fields: readonly string[], at: string): FieldError[] =>
  fields.flatMap((field) => countErrors((counts as Record<string, number | undefined>)[field], `${at}.${field}`));
