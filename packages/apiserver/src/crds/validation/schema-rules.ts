/** Validates the schema of a definition (`ValidateCustomResourceDefinitionOpenAPISchema`). */

import { type FieldError, forbiddenField, notSupported } from '../../errors/field-error.ts';
import { propertyOf, type Schema } from '../../schema/open-api.ts';
import { type DeclaredType, declaredType } from '../rules/declared-type.ts';
import { escapedName } from '../rules/escaped-name.ts';
import { expressionErrors, type RuleCosts, ruleFormErrors } from './expression-rules.ts';
import { extensionErrors } from './extension-rules.ts';

/** The position in a schema. */
export interface Place {
  path: string;
  /** Why defaults are not allowed. */
  noDefaults?: string;
  isInMetadata?: boolean;
  /** The outermost schema around it whose values cannot be correlated after an update. */
  uncorrelated?: string;
  /** For expressions; absent where they are not checked. */
  expressions?: { declared: DeclaredType | undefined; most: number | undefined } | undefined;
}

interface Found {
  schema: FieldError[];
  expressions: FieldError[];
}

const metaFields = ['metadata', 'kind', 'apiVersion'];

/** `costs` sums up the maximum costs of all expressions; without it they are not checked. */
export function schemaErrors(schema: Schema, path: string, costs: RuleCosts | undefined): FieldError[] {
  const declared = costs && declaredType(schema, true, 'selfType');
  const place: Place = { path, ...(costs ? { expressions: { declared, most: 1 } } : {}) };
  const found = walk(schema, place, true, costs);
  return [...found.schema, ...found.expressions];
}

type Raw = Schema & { [field: string]: unknown };

function walk(schema: Schema, place: Place, isRoot: boolean, costs: RuleCosts | undefined): Found {
  const found: Found = { schema: standardErrors(schema as Raw, place), expressions: [] };
  const add = (one: Found): void => {
    found.schema.push(...one.schema);
    found.expressions.push(...one.expressions);
  };
  const below = (one: Schema, at: string, change: Partial<Place>): void =>
    add(walk(one, { ...place, ...change, path: `${place.path}.${at}` }, false, costs));
  const { additionalProperties, properties = {}, items } = schema;
  if (schema.uniqueItems) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    found.schema.push(forbiddenField(`${place.path}.uniqueItems`, why));
  }
  if (additionalProperties !== undefined && additionalProperties !== true && Object.keys(properties).length > 0) {
    const why = 'additionalProperties and properties are mutual exclusive';
    found.schema.push(forbiddenField(`${place.path}.additionalProperties`, why));
  }
  if (typeof additionalProperties === 'object') {
    below(additionalProperties, 'additionalProperties', {
      ...(place.isInMetadata ? { noDefaults: 'inside additionalProperties applying to object metadata' } : {}),
      expressions: belowElement(schema, place),
    });
  }
  for (const [name, one] of Object.entries(properties)) {
    const isMeta = (isRoot || schema['x-kubernetes-embedded-resource']) && metaFields.includes(name);
    below(one, `properties[${name}]`, {
      ...(isMeta ? { isInMetadata: true } : {}),
      ...(isMeta && isRoot ? { noDefaults: `in top-level ${name}` } : {}),
      expressions: belowProperty(schema, place, name),
    });
  }
  for (const [at, one] of alternativesIn(schema)) below(one, at, { expressions: undefined });
  if (items && !Array.isArray(items)) {
    const isCorrelated = schema['x-kubernetes-list-type'] === 'map';
    below(items, 'items', {
      ...(isCorrelated ? {} : { uncorrelated: place.uncorrelated ?? place.path }),
      expressions: belowElement(schema, place),
    });
  }
  found.schema.push(...extensionErrors(schema, place.path), ...ruleFormErrors(schema, place.path));
  if (found.schema.length === 0 && costs) found.expressions.push(...expressionErrors(schema, place, costs));
  return found;
}

const alternativesIn = ({ not, allOf = [], oneOf = [], anyOf = [] }: Schema): [string, Schema][] => [
  ...(not ? [['not', not] as [string, Schema]] : []),
  ...Object.entries({ allOf, oneOf, anyOf }).flatMap(([name, schemas]) =>
    schemas.map((one, index): [string, Schema] => [`${name}[${index}]`, one]),
  ),
];

/** The maximum number of values; undefined if it is unlimited. */
function countBelow(schema: Schema, most: number | undefined): number | undefined {
  if (most === undefined) return undefined;
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  if (!isMap && schema.type !== 'array') return most;
  const limit = isMap ? schema.maxProperties : schema.maxItems;
  return limit === undefined ? undefined : most * Math.max(0, limit);
}

function belowElement(schema: Schema, { expressions }: Place): Place['expressions'] {
  return expressions && { declared: expressions.declared?.element, most: countBelow(schema, expressions.most) };
}

function belowProperty(schema: Schema, { expressions }: Place, name: string): Place['expressions'] {
  if (!expressions) return undefined;
  const escaped = escapedName(name);
  const own = propertyOf(schema, name)!;
  const declared =
    escaped === undefined
      ? declaredType(own, own['x-kubernetes-embedded-resource'] === true, 'selfType')
      : expressions.declared?.fields?.get(escaped);
  return { declared, most: countBelow(schema, expressions.most) };
}

const knownTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

function standardErrors(schema: Raw, { path, noDefaults, isInMetadata }: Place): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.type && !knownTypes.includes(schema.type))
    errors.push(notSupported(`${path}.type`, schema.type, knownTypes));
  if (schema.default !== undefined && noDefaults)
    errors.push(forbiddenField(`${path}.default`, `must not be set ${noDefaults}`));
  for (const field of unsupported) {
    const value = schema[field];
    const isEmpty =
      value === undefined || value === '' || (field !== 'additionalItems' && field !== '$ref' && isEmptyObject(value));
    if (!isEmpty) errors.push(forbiddenField(`${path}.${field}`, `${field} is not supported`));
  }
  if ((schema.type as string) === 'null') {
    errors.push(forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(schema.items))
    errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'));
  if (isInMetadata && schema['x-kubernetes-embedded-resource']) {
    errors.push(forbiddenField(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
  }
  return errors;
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
