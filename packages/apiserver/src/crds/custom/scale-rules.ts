/** Validates the replica counts from which a scale is built. */

import { isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import { goText, goType } from '../../patch/go-text.ts';
import type { Scale } from '../definition.ts';
import { plainPath } from './json-path.ts';

const largest = 2 ** 31 - 1;

export const scaleErrors = (object: JsonObject, scale: Scale | undefined): FieldError[] =>
  scale
    ? [
        ...numberErrors(object, scale.specReplicasPath),
        ...numberErrors(object, scale.statusReplicasPath),
        ...(scale.labelSelectorPath ? textErrors(object, scale.labelSelectorPath) : []),
      ]
    : [];

function numberErrors(object: JsonObject, path: string): FieldError[] {
  const found = valueAt(object, path);
  if ('fault' in found) return [invalidValue(path, 0, found.fault)];
  const { value = 0 } = found;
  if (goType(value) !== 'int64') return [invalidValue(path, 0, typeError(path, value, 'int64'))];
  if ((value as number) < 0) return [invalidValue(path, value, 'should be a non-negative integer')];
  return (value as number) > largest ? [invalidValue(path, value, `should be less than or equal to ${largest}`)] : [];
}

function textErrors(object: JsonObject, path: string): FieldError[] {
  const found = valueAt(object, path);
  if ('fault' in found) return [invalidValue(path, '', found.fault)];
  const { value = '' } = found;
  return typeof value === 'string' ? [] : [invalidValue(path, '', typeError(path, value, 'string'))];
}

function valueAt(object: JsonObject, path: string): { value?: JsonValue } | { fault: string } {
  let value: JsonValue = object;
  const names = plainPath(path);
  for (const [depth, name] of names.entries()) {
    if (value === null) return {};
    if (!isObject(value))
      return { fault: typeError(`.${names.slice(0, depth + 1).join('.')}`, value, 'map[string]interface{}') };
    if (!Object.hasOwn(value, name)) return {};
    value = value[name]!;
  }
  return { value };
}

const typeError = (path: string, value: JsonValue, expected: string): string =>
  `${path} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${expected}`;
