/** Formats a schema for error texts: with the names of Go's fields, including empty ones. */

import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import type { Schema } from '../../schema/open-api.ts';

const texts = ['ID', 'Schema', 'Description', 'Type', 'Format', 'Title', 'Pattern'];
const flags = ['Nullable', 'ExclusiveMaximum', 'ExclusiveMinimum', 'UniqueItems', 'XEmbeddedResource', 'XIntOrString'];

/** In the order of Go's struct. */
const fields = [
  ...['ID', 'Schema', 'Ref', 'Description', 'Type', 'Nullable', 'Format', 'Title', 'Default', 'Maximum'],
  ...['ExclusiveMaximum', 'Minimum', 'ExclusiveMinimum', 'MaxLength', 'MinLength', 'Pattern', 'MaxItems', 'MinItems'],
  ...['UniqueItems', 'MultipleOf', 'Enum', 'MaxProperties', 'MinProperties', 'Required', 'Items', 'AllOf', 'OneOf'],
  ...['AnyOf', 'Not', 'Properties', 'AdditionalProperties', 'PatternProperties', 'Dependencies', 'AdditionalItems'],
  ...['Definitions', 'ExternalDocs', 'Example', 'XPreserveUnknownFields', 'XEmbeddedResource', 'XIntOrString'],
  ...['XListMapKeys', 'XListType', 'XMapType', 'XValidations'],
];

const jsonName = (field: string): string => {
  if (field === 'ID') return 'id';
  if (field === 'Schema' || field === 'Ref') return `$${field.toLowerCase()}`;
  const name = `${field[0]!.toLowerCase()}${field.slice(1)}`;
  return /^X[A-Z]/.test(field)
    ? `x-kubernetes-${name
        .slice(1)
        .replace(/^[A-Z]|[A-Z]/g, dashed)
        .slice(1)}`
    : name;
};
const dashed = (letter: string): string => `-${letter.toLowerCase()}`;

export function shownSchema(schema: Schema): JsonObject {
  const held = schema as { [name: string]: unknown };
  return Object.fromEntries(fields.map((field) => [field, shown(field, held[jsonName(field)])]));
}

function shown(field: string, value: unknown): JsonValue {
  if (value === undefined || value === null) return texts.includes(field) ? '' : flags.includes(field) ? false : null;
  switch (field) {
    case 'AllOf':
    case 'OneOf':
    case 'AnyOf':
      return (value as Schema[]).map(shownSchema);
    case 'Not':
      return shownSchema(value as Schema);
    case 'Items':
      return { Schema: shownSchema(value as Schema), JSONSchemas: null };
    case 'Properties':
      return Object.fromEntries(
        Object.entries(value as { [name: string]: Schema })
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, one]) => [name, shownSchema(one)]),
      );
    case 'AdditionalProperties':
      return typeof value === 'object'
        ? { Allows: true, Schema: shownSchema(value as Schema) }
        : { Allows: value as boolean, Schema: null };
    default:
      return value as JsonValue;
  }
}
