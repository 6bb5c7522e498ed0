/** Lengths and patterns of strings. */

import type { Schema } from '../open-api.ts';
import { Result } from './result.ts';

/** The first that is wrong. */
export function checkText(text: string, { maxLength, minLength, pattern }: Schema, path: string): Result {
  const length = maxLength === undefined && minLength === undefined ? 0 : [...text].length;
  if (maxLength !== undefined && length > maxLength) {
    const message = `${path} in body should be at most ${maxLength} chars long`;
    return Result.of({ what: 'tooLong', path, message, most: maxLength });
  }
  if (minLength !== undefined && length < minLength) {
    const message = `${path} in body should be at least ${minLength} chars long`;
    return Result.of({ what: 'other', path, message, value: text });
  }
  if (!pattern || regularExpression(pattern).test(text)) return new Result();
  return Result.of({ what: 'other', path, message: `${path} in body should match '${pattern}'`, value: text });
}

const known = new Map<string, RegExp>();

/** Go's flags stand in the expression. Definitions with expressions that cannot be read are refused before. */
function regularExpression(pattern: string): RegExp {
  const before = known.get(pattern);
  if (before) return before;
  const [, flags = '', rest = pattern] = /^\(\?([ims]+)\)(.*)$/s.exec(pattern) ?? [];
  const made = new RegExp(rest, `u${flags}`);
  known.set(pattern, made);
  return made;
}
