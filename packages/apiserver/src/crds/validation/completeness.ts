/** Validates that fields in `anyOf` and the like are defined in the structural part of the schema, too. */

import { type FieldError, required } from '../../errors/field-error.ts';
import { propertyOf, type Schema } from '../../schema/open-api.ts';

export const completenessErrors = (schema: Schema, path: string): FieldError[] =>
  alternativesIn(schema).flatMap(([name, one]) => missing(one, schema, path, `${path}.${name}`));

function alternativesIn({ not, allOf = [], anyOf = [], oneOf = [] }: Schema): [string, Schema][] {
  const named = (schemas: Schema[], name: string): [string, Schema][] =>
    schemas.map((one, index) => [`${name}[${index}]`, one]);
  return [
    ...(not ? [['not', not] as [string, Schema]] : []),
    ...named(allOf, 'allOf'),
    ...named(anyOf, 'anyOf'),
    ...named(oneOf, 'oneOf'),
  ];
}

function missing(value: Schema, schema: Schema | undefined, path: string, valuePath: string): FieldError[] {
  if (!schema) return [required(path, `because it is defined in ${valuePath}`)];
  return [
    ...alternativesIn(value).flatMap(([name, one]) => missing(one, schema, path, `${valuePath}.${name}`)),
    ...(value.items ? missing(value.items, schema.items, `${path}.items`, `${valuePath}.items`) : []),
    ...Object.entries(value.properties ?? {}).flatMap(([name, one]) =>
      missing(one, propertyOf(schema, name), `${path}.properties[${name}]`, `${valuePath}.properties[${name}]`),
    ),
  ];
}
