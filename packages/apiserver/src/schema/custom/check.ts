/** Validates a value by its schema, in the order and with the error texts of kube-openapi. */

import { equalJson, fieldOf, isObject, type JsonObject, type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import { propertyOf, type Schema } from '../open-api.ts';
import { checkAlternatives } from './check-alternatives.ts';
import { checkNumber } from './check-number.ts';
import { checkText } from './check-text.ts';
import { checkType } from './check-type.ts';
import { checkFormat, supportedFormat } from './formats.ts';
import { Result } from './result.ts';

/** Called with the amount of work, so that it can abort a validation that takes long. */
export type Work = (units: number) => void;
/** Immutable. */
const nothing = new Result();
const idle: Work = () => {};
/** The work for one value, relative to a step of a CEL expression. */
const perValue = 3;

/** `old` is the value before an update, if any: unchanged invalid values stay valid. */
export function check(value: JsonValue, schema: Schema, path: string, old?: JsonValue, work: Work = idle): Result {
  // For example everything except the status, for a write of the status.
  if (old === value && typeof value === 'object') return nothing;
  const result = checkAll(value, schema, path, old, work);
  const isOld = !result.isValid && old !== undefined && equalJson(old, value);
  return isOld ? new Result() : result;
}

function checkAll(value: JsonValue, schema: Schema, path: string, old: JsonValue | undefined, work: Work): Result {
  work(perValue);
  const result = new Result();
  const format = supportedFormat(schema);
  const hasType = schema.type || schema['x-kubernetes-int-or-string'] || format;
  if (value === null) return result.merge(checkType(value, schema, format, path)).merge(checkEnum(value, schema, path));
  if (hasType) result.merge(checkType(value, schema, format, path)).matched();
  result
    .merge(checkAlternatives(value, schema, path, (one, other, at) => check(one, other, at, undefined, work)))
    .matched();
  if (typeof value === 'string') {
    result.merge(checkText(value, schema, path, work)).matched();
    if (format) result.merge(checkFormat(value, format, path)).matched();
  }
  if (typeof value === 'number' || typeof value === 'bigint') result.merge(checkNumber(value, schema, path)).matched();
  if (Array.isArray(value)) result.merge(checkList(value, schema, path, Array.isArray(old) ? old : [], work)).matched();
  result.merge(checkEnum(value, schema, path)).matched();
  if (isObject(value)) result.merge(checkObject(value, schema, path, isObject(old) ? old : undefined, work)).matched();
  return result.matched();
}

function checkEnum(value: JsonValue, { enum: allowed }: Schema, path: string): Result {
  if (!allowed || allowed.length === 0 || (value !== null && allowed.some((one) => equalJson(one, value)))) {
    return nothing;
  }
  return Result.of({ what: 'enum', path, message: `${path} in body should be one of`, value, allowed });
}

function checkList(list: JsonValue[], schema: Schema, path: string, old: JsonValue[], work: Work): Result {
  const result = new Result();
  const { items, minItems, maxItems } = schema;
  const before = byKeys(old, schema);
  for (const [index, element] of items ? list.entries() : []) {
    result.merge(check(element, items!, `${path}[${index}]`, before.get(keyText(element, schema)), work));
  }
  if (minItems !== undefined && list.length < minItems) {
    const message = `${path} in body should have at least ${minItems} items`;
    result.add({ what: 'other', path, message, value: list.length });
  }
  if (maxItems !== undefined && list.length > maxItems) {
    const message = `${path} in body should have at most ${maxItems} items`;
    result.add({ what: 'tooMany', path, message, count: list.length, most: maxItems });
  }
  if (schema.uniqueItems && list.some((one, index) => list.slice(0, index).some((other) => equalJson(one, other)))) {
    result.add({ what: 'other', path, message: `${path} in body shouldn't contain duplicates`, value: '' });
  }
  return result.matched();
}

/** Only elements with keys can be correlated. */
const byKeys = (list: JsonValue[], schema: Schema): Map<string, JsonValue> =>
  schema['x-kubernetes-list-type'] === 'map' ? new Map(list.map((one) => [keyText(one, schema), one])) : new Map();

const keyText = (element: JsonValue, schema: Schema): string =>
  isObject(element)
    ? jsonText((schema['x-kubernetes-list-map-keys'] ?? []).map((key) => fieldOf(element, key) ?? null))
    : '';

function checkObject(
  object: JsonObject,
  schema: Schema,
  path: string,
  old: JsonObject | undefined,
  work: Work,
): Result {
  const result = new Result();
  const count = Object.keys(object).length;
  const { minProperties, maxProperties, additionalProperties, required = [] } = schema;
  if (minProperties !== undefined && count < minProperties) {
    const message = `${path} in body should have at least ${minProperties} properties`;
    result.add({ what: 'other', path, message, value: count });
  }
  if (maxProperties !== undefined && count > maxProperties) {
    const message = `${path} in body should have at most ${maxProperties} properties`;
    result.add({ what: 'tooMany', path, message, count, most: maxProperties });
  }
  for (const [key, value] of Object.entries(object)) {
    const property = propertyOf(schema, key);
    const before = old && Object.hasOwn(old, key) ? old[key] : undefined;
    if (property) result.merge(check(value, property, path ? `${path}.${key}` : key, before, work));
    else if (typeof additionalProperties === 'object') {
      result.merge(check(value, additionalProperties, `${path}.${key}`, before, work));
    } else if (additionalProperties === false) {
      const message = `${path}.${key} in body is a forbidden property`;
      result.add({ what: 'other', path, message, value: key });
    }
  }
  for (const name of required) {
    if (Object.hasOwn(object, name)) continue;
    result.add({ what: 'required', path: `${path}.${name}`, message: `${path}.${name} in body is required` });
  }
  return result;
}
