/** Validates that a schema is structural: every field has a type outside of `allOf` and the like (`ValidateStructural`). */

import { equalJson, type JsonValue } from '@fleet/kube/json-value.ts';
import { bodyOf, type FieldError, forbiddenField, invalidValue, required } from '../../errors/field-error.ts';
import { expressionOf } from '../../regular-expressions/expression.ts';
import { propertyOf, type Schema } from '../../schema/open-api.ts';
import { completenessErrors } from './completeness.ts';

type Level = 'root' | 'item' | 'field';

/** Sorted by their texts, as in kube-apiserver. */
export function structuralErrors(schema: Schema, path: string): FieldError[] {
  const errors = [...invariants(schema, 'root', path), ...completenessErrors(schema, path)];
  const text = (error: FieldError) => `${error.field}: ${bodyOf(error)}`;
  return errors.sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

const emptyType: Record<Level, string> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function invariants(schema: Schema, level: Level, path: string): FieldError[] {
  const { type, items, properties = {}, additionalProperties } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const errors: FieldError[] = [];
  if (type === 'array' && !items) errors.push(required(`${path}.items`, 'must be specified'));
  if (items) errors.push(...invariants(items, 'item', `${path}.items`));
  for (const [name, one] of Object.entries(properties)) {
    errors.push(...invariants(one, 'field', `${path}.properties[${name}]`));
  }
  if (additionalProperties !== undefined && level === 'root') {
    errors.push(forbiddenField(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  if (typeof additionalProperties === 'object') {
    errors.push(...invariants(additionalProperties, 'field', `${path}.additionalProperties`));
  }
  for (const extension of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (isIntOrString && schema[extension]) {
      errors.push(invalidValue(`${path}.${extension}`, true, 'must be false if x-kubernetes-int-or-string is true'));
    }
  }
  errors.push(
    ...valueErrors(schema, isIntOrStringPattern(schema.anyOf), isIntOrStringPattern(schema.allOf?.[0]?.anyOf), path),
  );
  errors.push(...typeErrors(type, isEmbedded, isIntOrString || preserves, level, path));
  if (isEmbedded && additionalProperties !== undefined) {
    errors.push(
      forbiddenField(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'),
    );
  }
  if (level === 'root' && type && type !== 'object') {
    errors.push(invalidValue(`${path}.type`, type, 'must be object at the root'));
  }
  errors.push(...metaErrors(schema, level, isEmbedded, path));
  if (isEmbedded && !preserves && Object.keys(properties).length === 0) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${path}.properties`, why));
  }
  return errors;
}

function typeErrors(
  type: string | undefined,
  isEmbedded: boolean,
  needsNone: boolean,
  level: Level,
  path: string,
): FieldError[] {
  const field = `${path}.type`;
  if (isEmbedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    return [type ? invalidValue(field, type, why) : required(field, why)];
  }
  return type || needsNone ? [] : [required(field, emptyType[level])];
}

/** Only few restrictions of metadata are allowed. */
function metaErrors(schema: Schema, level: Level, isEmbedded: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const isObject = level === 'root' || isEmbedded;
  for (const name of ['kind', 'apiVersion']) {
    const one = propertyOf(schema, name);
    if (isObject && one && one.type !== 'string') {
      errors.push(invalidValue(`${path}.properties[${name}].type`, one.type ?? '', 'must be string'));
    }
  }
  const metadata = propertyOf(schema, 'metadata');
  if (!metadata) return errors;
  const field = `${path}.properties[metadata]`;
  if (isObject && metadata.type !== 'object')
    errors.push(invalidValue(`${field}.type`, metadata.type ?? '', 'must be object'));
  if (level === 'root' && !isOnlyNames(metadata)) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbiddenField(field, why));
  }
  return errors;
}

function isOnlyNames({ type: _, default: __, properties = {}, ...rest }: Schema): boolean {
  const names = Object.keys(properties);
  const isNames = names.every((name) => name === 'name' || name === 'generateName');
  return isNames && Object.values(rest).every((value) => value === undefined);
}

const intOrString: JsonValue = [{ type: 'integer' }, { type: 'string' }];
const isIntOrStringPattern = (schemas: Schema[] | undefined): boolean =>
  schemas !== undefined && equalJson(schemas as unknown as JsonValue, intOrString);

function valueErrors(schema: Schema, skipsAnyOf: boolean, skipsFirst: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const all = (schemas: Schema[] | undefined, name: string, skips = false): void => {
    for (const [index, one] of (schemas ?? []).entries()) {
      errors.push(...nestedErrors(one, skips && index === 0, `${path}.${name}[${index}]`));
    }
  };
  if (!skipsAnyOf) all(schema.anyOf, 'anyOf');
  all(schema.allOf, 'allOf', skipsFirst);
  all(schema.oneOf, 'oneOf');
  if (schema.not) errors.push(...nestedErrors(schema.not, false, `${path}.not`));
  const fault = schema.pattern ? expressionFault(schema.pattern) : undefined;
  if (fault !== undefined) {
    errors.push(
      invalidValue(`${path}.pattern`, schema.pattern, `must be a valid regular expression, but isn't: ${fault}`),
    );
  }
  return errors;
}

export function expressionFault(pattern: string): string | undefined {
  try {
    expressionOf(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Fields that are forbidden in `anyOf` and the like. */
const forbidden: readonly [keyof Schema | 'title' | 'description', string][] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0);

function nestedErrors(schema: Schema, skipsAnyOf: boolean, path: string): FieldError[] {
  const errors = valueErrors(schema, skipsAnyOf, false, path);
  if (schema.items) errors.push(...nestedErrors(schema.items, false, `${path}.items`));
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    errors.push(...nestedErrors(one, false, `${path}.properties[${name}]`));
  }
  const held = schema as { [field: string]: unknown };
  for (const [field, why] of forbidden) {
    const value = field === 'additionalProperties' && held[field] === false ? true : held[field];
    if (isSet(value)) errors.push(forbiddenField(`${path}.${field}`, why));
  }
  if (propertyOf(schema, 'metadata')) {
    errors.push(forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
  return errors;
}
