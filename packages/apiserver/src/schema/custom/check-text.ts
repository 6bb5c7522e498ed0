/** Validates lengths and patterns of strings. */

import { expressionOf, stepsPerUnit } from '../../regular-expressions/expression.ts';
import type { Schema } from '../open-api.ts';
import { Result } from './result.ts';

/** Returns the first error. */
export function checkText(
  text: string,
  { maxLength, minLength, pattern }: Schema,
  path: string,
  work: (units: number) => void,
): Result {
  const length = maxLength === undefined && minLength === undefined ? 0 : [...text].length;
  if (maxLength !== undefined && length > maxLength) {
    const message = `${path} in body should be at most ${maxLength} chars long`;
    return Result.of({ what: 'tooLong', path, message, most: maxLength });
  }
  if (minLength !== undefined && length < minLength) {
    const message = `${path} in body should be at least ${minLength} chars long`;
    return Result.of({ what: 'other', path, message, value: text });
  }
  if (!pattern) return new Result();
  const expression = expressionOf(pattern);
  work((text.length * expression.stepsPerSign) / stepsPerUnit);
  if (expression.test(text)) return new Result();
  return Result.of({ what: 'other', path, message: `${path} in body should match '${pattern}'`, value: text });
}
