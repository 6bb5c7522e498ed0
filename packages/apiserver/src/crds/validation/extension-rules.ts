/** Validates `x-kubernetes-…` extensions of a schema: list types, map types and list map keys. */

import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import { propertyOf, type Schema } from '../../schema/open-api.ts';

export function extensionErrors(schema: Schema, path: string): FieldError[] {
  const preserves = schema['x-kubernetes-preserve-unknown-fields'];
  return [
    ...(preserves === false
      ? [invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined')]
      : []),
    ...mapTypeErrors(schema, path),
    ...listTypeErrors(schema, path),
    ...(schema['x-kubernetes-list-type'] === 'map' ? listMapErrors(schema, path) : []),
    ...itemErrors(schema, path),
  ];
}

const typeMustBe = (type: string, { type: given }: Schema, path: string, extension: string): FieldError[] => {
  if (given === type) return [];
  const why = `must be ${type} if ${extension} is specified`;
  return [given ? invalidValue(`${path}.type`, given, why) : required(`${path}.type`, why)];
};

function mapTypeErrors(schema: Schema, path: string): FieldError[] {
  const extension = 'x-kubernetes-map-type';
  const mapType = schema[extension];
  if (mapType === undefined) return [];
  return [
    ...typeMustBe('object', schema, path, extension),
    ...(['atomic', 'granular'].includes(mapType)
      ? []
      : [notSupported(`${path}.${extension}`, mapType, ['atomic', 'granular'])]),
  ];
}

function listTypeErrors(schema: Schema, path: string): FieldError[] {
  const extension = 'x-kubernetes-list-type';
  const listType = schema[extension];
  const errors: FieldError[] = [];
  if (listType !== undefined) {
    errors.push(...typeMustBe('array', schema, path, extension));
    if (errors.length === 0 && listType === 'set') errors.push(...setErrors(schema.items, `${path}.items`));
    if (!['atomic', 'set', 'map'].includes(listType)) {
      errors.push(notSupported(`${path}.${extension}`, listType, ['atomic', 'set', 'map']));
    }
  }
  if ((schema['x-kubernetes-list-map-keys'] ?? []).length === 0 || listType === 'map') return errors;
  const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
  errors.push(
    listType === undefined
      ? required(`${path}.${extension}`, why)
      : invalidValue(`${path}.${extension}`, listType, why),
  );
  return errors;
}

/** An element of a set has one owner. */
function setErrors(items: Schema | undefined, path: string): FieldError[] {
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items?.['x-kubernetes-list-type'];
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalidValue(`${path}.x-kubernetes-list-type`, listType, why)];
  }
  if (items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    return [invalidValue(`${path}.x-kubernetes-map-type`, listType ?? null, why)];
  }
  return [];
}

function listMapErrors(schema: Schema, path: string): FieldError[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const { items } = schema;
  const field = `${path}.x-kubernetes-list-map-keys`;
  const errors: FieldError[] = [];
  if (keys.length === 0) errors.push(required(field, 'must not be empty if x-kubernetes-list-type is map'));
  if (!items) return [...errors, required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  if (items.type !== 'object') {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalidValue(`${path}.items.type`, items.type ?? '', why)];
  }
  for (const [index, key] of keys.entries()) {
    const property = propertyOf(items, key);
    if (!property) errors.push(invalidValue(field, keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object') {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalidValue(`${path}.items.properties[${key}].type`, items.type, why));
    }
    if (keys.indexOf(key) < index) errors.push(invalidValue(field, keys, 'must not contain duplicate entries'));
  }
  return errors;
}

/** Elements of sets and maps, and their keys, must not be null. */
function itemErrors(schema: Schema, path: string): FieldError[] {
  const { items, 'x-kubernetes-list-type': listType } = schema;
  if (!items || (listType !== 'set' && listType !== 'map')) return [];
  const errors = items.nullable
    ? [forbiddenField(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`)]
    : [];
  for (const key of listType === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : []) {
    const property = propertyOf(items, key);
    const at = `${path}.items.properties[${key}]`;
    const isKey = 'this property is in x-kubernetes-list-map-keys, so it';
    if (property && !items.required?.includes(key) && property.default === undefined) {
      errors.push(required(`${at}.default`, `${isKey} must have a default or be a required property`));
    }
    if (property?.nullable) errors.push(forbiddenField(`${at}.nullable`, `${isKey} cannot be nullable`));
  }
  return errors;
}
