/** The OpenAPI schema of a custom kind: with the fields that every object has, and in version 2 without what that does not support. */

import { Pace } from '@fleet/client/pace.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import type { Schema } from '../schema/open-api.ts';
import { isLargerThan } from '../schema/size.ts';

export type OpenApiVersion = 2 | 3;

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The type that every published object refers to. */
export const metadataType = `${meta}.ObjectMeta`;

const metadata: Schema = {
  $ref: metadataType,
  description: `Standard object's metadata. More info: ${conventions}#metadata`,
};

/** The fields apiVersion and kind. */
const typeFields: Readonly<Record<'apiVersion' | 'kind', Schema>> = {
  apiVersion: {
    type: 'string',
    description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
  },
  kind: {
    type: 'string',
    description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
  },
};

/** The same for embedded objects. */
const embeddedFields: Readonly<Record<string, Schema>> = {
  apiVersion: {
    type: 'string',
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
  },
  kind: {
    type: 'string',
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
  },
  metadata,
};

export async function publishedObject(schema: Schema, version: OpenApiVersion, pace = new Pace()): Promise<Schema> {
  // If any field had a name, kubectl would refuse all others.
  if (version === 2 && schema['x-kubernetes-preserve-unknown-fields']) return { type: 'object' };
  const known = await paced(schema, version === 2 ? inVersion2 : unfolding, pace);
  const given = await paced(known, embedding(version), pace);
  return { ...given, properties: { ...given.properties, ...typeFields, metadata } };
}

export function publishedList({ kind, listKind = `${kind}List`, resource }: PrintedKind, itemType: string): Schema {
  const items: Schema = {
    type: 'array',
    description: `List of ${resource}. More info: ${conventions}`,
    items: { $ref: itemType },
  };
  const listMetadata = {
    $ref: `${meta}.ListMeta`,
    description: `Standard list metadata. More info: ${conventions}#types-kinds`,
  };
  return {
    type: 'object',
    description: `${listKind} is a list of ${kind}`,
    required: ['items'],
    properties: { ...typeFields, items, metadata: listMetadata },
  };
}

/** A transformation of a schema and its sub-schemas: a step before, and a step after the sub-schemas were transformed. */
interface Pass {
  before?(schema: Schema): Schema;
  after?(schema: Schema): Schema;
}

const same = (schema: Schema): Schema => schema;

const passed = (schema: Schema, pass: Pass): Schema =>
  (pass.after ?? same)(mapped((pass.before ?? same)(schema), (one) => passed(one, pass)));

/** In bytes: larger schemas are transformed in slices, between which the event loop runs (LIMIT-3). */
const atOnce = 16 * 1024;

async function paced(schema: Schema, pass: Pass, pace: Pace): Promise<Schema> {
  if (pace.isDue) await pace.rest();
  if (!isLargerThan(schema, atOnce)) return passed(schema, pass);
  const { properties, items, ...rest } = (pass.before ?? same)(schema);
  const fields: [string, Schema][] = [];
  for (const [name, one] of Object.entries(properties ?? {})) fields.push([name, await paced(one, pass, pace)]);
  return (pass.after ?? same)({
    ...mapped(rest, (one) => passed(one, pass)),
    ...(properties ? { properties: Object.fromEntries(fields) } : {}),
    ...(items ? { items: await paced(items, pass, pace) } : {}),
  });
}

/** A schema with transformed sub-schemas. */
function mapped(schema: Schema, change: (one: Schema) => Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, change(one)])) }
      : {}),
    ...(items ? { items: change(items) } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: change(additionalProperties) } : {}),
  };
}

const integerOrText: Schema[] = [{ type: 'integer' }, { type: 'string' }];

const isIntegerOrText = (alternatives: readonly Schema[] | undefined): boolean =>
  alternatives?.length === 2 && alternatives.every(({ type }, index) => type === integerOrText[index]!.type);

/** Expands `x-kubernetes-int-or-string` for clients that do not know it. */
function unfolded(given: Schema): Schema {
  if (!given['x-kubernetes-int-or-string']) return given;
  const { anyOf, allOf = [] } = given;
  if (isIntegerOrText(anyOf) || isIntegerOrText(allOf[0]?.anyOf)) return given;
  return anyOf ? { ...given, allOf: [{ anyOf: integerOrText }, ...allOf] } : { ...given, anyOf: integerOrText };
}

/** Without what version 2, or kubectl's parser, does not support. */
function asVersion2({ allOf: _, anyOf: __, oneOf: ___, not: ____, ...schema }: Schema): Schema {
  const { nullable, type, items, properties, additionalProperties, required, ...rest } = schema;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const isBare = nullable === true || isOpen;
  const lacksItems = type === 'array' && (isBare || !items);
  const isTyped = type !== undefined && !nullable && !lacksItems && !(isOpen && type === 'object');
  const needed =
    typeof additionalProperties === 'object' && additionalProperties.nullable
      ? []
      : (required ?? []).filter((name) => isBare || !properties?.[name]?.nullable);
  return {
    ...rest,
    ...(isTyped ? { type } : {}),
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(items && !isBare ? { items } : {}),
    ...(properties && !isBare ? { properties } : {}),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  };
}

/** Adds kind and metadata to embedded objects. */
function withEmbedded(given: Schema, version: OpenApiVersion): Schema {
  const { required = [], properties } = given;
  const isOpen = version === 2 && given['x-kubernetes-preserve-unknown-fields'];
  if (isOpen || !given['x-kubernetes-embedded-resource']) return given;
  const missing = ['kind', 'apiVersion'].filter((name) => !required.includes(name));
  return { ...given, required: [...required, ...missing], properties: { ...properties, ...embeddedFields } };
}

const unfolding: Pass = { after: unfolded };
const inVersion2: Pass = { before: asVersion2 };
const embedding = (version: OpenApiVersion): Pass => ({ after: (given) => withEmbedded(given, version) });
