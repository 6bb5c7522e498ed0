/** The expression types that a schema declares, with the maximum sizes of their values (`SchemaDeclType` of kube-apiserver). */

import type { Type } from '../../cel/types.ts';
import * as types from '../../cel/types.ts';
import type { Schema } from '../../schema/open-api.ts';
import { escapedName } from './escaped-name.ts';

export interface DeclaredType {
  /** Its path in the schema, for names of types. */
  name: string;
  type: Type;
  /** Of an object; by the escaped names. */
  fields?: ReadonlyMap<string, DeclaredType>;
  key?: DeclaredType;
  element?: DeclaredType;
  mostElements: number;
  /** In bytes of JSON. */
  smallest: number;
}

/** The limit of a request, and so the maximum size of any value. */
export const largestRequest = 3 * 1024 * 1024;
const quotes = 2;

const text: Schema = { type: 'string' };

/** Adds the fields that every object has, whatever its schema. */
export const withMetadata = (schema: Schema): Schema => ({
  ...schema,
  properties: {
    ...schema.properties,
    kind: text,
    apiVersion: text,
    metadata: { type: 'object', properties: { name: text, generateName: text } },
  },
});

const scalar = (type: Type, smallest: number, mostElements = 0): DeclaredType => ({
  name: type.name,
  type,
  smallest,
  mostElements,
});

/** Undefined for values that expressions cannot access, as their type is unknown. */
export function declaredType(given: Schema, isObject: boolean, name: string): DeclaredType | undefined {
  if (given['x-kubernetes-int-or-string']) return scalar(types.dyn, 1, longestText(given));
  const schema = isObject ? withMetadata(given) : given;
  switch (schema.type) {
    case 'array':
      return listType(schema, name);
    case 'object':
      return objectType(schema, name);
    case 'string':
      return textType(schema);
    case 'boolean':
      return scalar(types.bool, 4);
    case 'number':
      return scalar(types.double, 1);
    case 'integer':
      return scalar(types.int, 1);
    default:
      return undefined;
  }
}

const inside = (schema: Schema, name: string): DeclaredType | undefined =>
  declaredType(schema, schema['x-kubernetes-embedded-resource'] === true, name);

function listType({ items, maxItems }: Schema, name: string): DeclaredType | undefined {
  const element = items && inside(items, `${name}.@idx`);
  if (!element) return undefined;
  const most = maxItems ?? Math.floor((largestRequest - quotes) / (element.smallest + 1));
  return { name, type: types.list(element.type), element, mostElements: Math.max(0, most), smallest: 2 };
}

function objectType(schema: Schema, name: string): DeclaredType | undefined {
  const { additionalProperties, maxProperties, properties = {}, required = [] } = schema;
  if (typeof additionalProperties === 'object') {
    const element = inside(additionalProperties, `${name}.@elem`);
    if (!element) return undefined;
    const most = maxProperties ?? Math.floor((largestRequest - quotes) / (element.smallest + 6));
    const key = scalar(types.string, quotes);
    return {
      name,
      type: types.map(types.string, element.type),
      key,
      element,
      mostElements: Math.max(0, most),
      smallest: 2,
    };
  }
  const fields = new Map<string, DeclaredType>();
  let smallest = 2;
  for (const [property, one] of Object.entries(properties)) {
    const escaped = escapedName(property);
    const field = inside(one, `${name}.${escaped ?? property}`);
    if (!field) continue;
    if (escaped !== undefined) fields.set(escaped, field);
    if (required.includes(property) && one.default === undefined) smallest += property.length + field.smallest + 4;
  }
  return { name, type: types.struct(name), fields, mostElements: 0, smallest };
}

function textType(schema: Schema): DeclaredType {
  switch (schema.format) {
    case 'byte':
      return scalar(types.bytes, quotes, Math.max(0, schema.maxLength ?? largestRequest - quotes));
    case 'duration':
      return scalar(types.duration, 3, 32);
    case 'date':
      return scalar(types.timestamp, 12, 12);
    case 'date-time':
      return scalar(types.timestamp, 21, 32);
    default:
      return scalar(types.string, quotes, longestText(schema));
  }
}

/** A character may take four bytes. */
function longestText({ maxLength, enum: allowed, type }: Schema): number {
  if (maxLength !== undefined) return Math.max(0, maxLength) * 4;
  if (type === 'string' && allowed && allowed.length > 0) {
    return Math.max(0, ...allowed.map((one) => (typeof one === 'string' ? Buffer.byteLength(one) : 0)));
  }
  return largestRequest - quotes;
}

/** Types with fields, by name. */
export function structsIn(type: DeclaredType, found = new Map<string, ReadonlyMap<string, Type>>()) {
  if (type.fields) found.set(type.type.name, new Map([...type.fields].map(([name, field]) => [name, field.type])));
  for (const field of type.fields?.values() ?? []) structsIn(field, found);
  if (type.element) structsIn(type.element, found);
  return found;
}
