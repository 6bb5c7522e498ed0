/** A type for server-side apply: its possible values, and which parts of it have owners of their own (structured-merge-diff). */

import type { JsonValue } from '@fleet/kube/json-value.ts';
import { type Definitions, propertyOf, type Schema } from './open-api.ts';

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

/** The alternatives that are set are allowed; if none is set, no value is. */
export interface Atom {
  scalar?: ScalarType;
  list?: ListType;
  map?: MapType;
}

export interface ListType {
  element: TypeRef;
  /** An atomic list is owned as a whole. */
  atomic: boolean;
  /** An associative list without keys is a set. */
  keys: readonly string[];
}

export interface MapType {
  field(name: string): MapField | undefined;
  hasFields: boolean;
  /** The type of undeclared fields; if absent, they are not allowed. */
  element: TypeRef | undefined;
  atomic: boolean;
}

export interface MapField {
  type: TypeRef;
  default: JsonValue | undefined;
}

/** Resolved on first use, as types may be recursive. */
export interface TypeRef {
  name?: string;
  resolve(): Atom | undefined;
}

const lazily = (make: () => Atom | undefined, name?: string): TypeRef => {
  let made: { atom: Atom | undefined } | undefined;
  return {
    ...(name ? { name } : {}),
    resolve() {
      made ??= { atom: make() };
      return made.atom;
    },
  };
};

const noField = () => undefined;

/** Any value, in which lists and maps are owned as a whole. */
const untyped: TypeRef = lazily(
  () => ({
    scalar: 'untyped',
    list: { element: untyped, atomic: true, keys: [] },
    map: { field: noField, hasFields: false, element: untyped, atomic: true },
  }),
  '__untyped_atomic_',
);

/** Any value: maps are owned by field, lists as a whole. The type of CRDs without a schema. */
export const deduced: TypeRef = lazily(
  () => ({
    scalar: 'untyped',
    list: { element: untyped, atomic: true, keys: [] },
    map: { field: noField, hasFields: false, element: deduced, atomic: false },
  }),
  '__untyped_deduced_',
);

const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const rawExtension = 'io.k8s.apimachinery.pkg.runtime.RawExtension';

/** One per schema, as types are compared by identity and have many references. */
export function mergeTypes(definitions: Definitions, preserveUnknownFields = false) {
  const named = new Map<string, TypeRef>();

  function ofName(name: string): TypeRef {
    const known = named.get(name);
    if (known) return known;
    const made = lazily(() => {
      if (name === quantity) return { scalar: 'untyped' };
      if (name === rawExtension) return untyped.resolve();
      const definition = definitions(name);
      return definition && atomOf(definition, preserveUnknownFields);
    }, name);
    named.set(name, made);
    return made;
  }

  function ofSchema(schema: Schema, preserve = preserveUnknownFields): TypeRef {
    if (!schema.$ref) return lazily(() => atomOf(schema, preserve));
    const referred = ofName(schema.$ref);
    const mapType = schema['x-kubernetes-map-type'];
    if (!mapType) return referred;
    return lazily(() => overridden(referred.resolve(), mapType === 'atomic'), schema.$ref);
  }

  function atomOf(schema: Schema, preserveAbove: boolean): Atom {
    const preserve = preserveAbove || schema['x-kubernetes-preserve-unknown-fields'] === true;
    switch (schema.type) {
      case undefined:
        return { scalar: 'untyped', list: listOf(schema, preserve), map: mapOf(schema, preserve) };
      case 'object':
        return { map: mapOf(schema, preserve) };
      case 'array':
        return { list: listOf(schema, preserve) };
      case 'string':
        return { scalar: !schema.format || schema.format === 'byte' ? 'string' : 'untyped' };
      case 'boolean':
        return { scalar: 'boolean' };
      default:
        return { scalar: 'numeric' };
    }
  }

  function mapOf(schema: Schema, preserve: boolean): MapType {
    const fields = new Map<string, MapField>();
    const names = Object.keys(schema.properties ?? {});
    return {
      field(name) {
        const known = fields.get(name);
        if (known) return known;
        const property = propertyOf(schema, name);
        if (!property) return undefined;
        const made = { type: ofSchema(property, preserve), default: property.default };
        fields.set(name, made);
        return made;
      },
      hasFields: names.length > 0,
      element: elementOf(schema, preserve),
      atomic: schema['x-kubernetes-map-type'] === 'atomic',
    };
  }

  function elementOf({ additionalProperties, properties }: Schema, preserve: boolean): TypeRef | undefined {
    if (additionalProperties === undefined) {
      return preserve || Object.keys(properties ?? {}).length === 0 ? deduced : undefined;
    }
    if (typeof additionalProperties === 'object') return ofSchema(additionalProperties, preserve);
    return additionalProperties ? deduced : undefined;
  }

  const listOf = (schema: Schema, preserve: boolean): ListType => ({
    element: schema.items ? ofSchema(schema.items, preserve) : untyped,
    ...relationship(schema),
  });

  return { ofName, ofSchema };
}

/** The list type takes precedence; older types have only a patch strategy. */
function relationship(schema: Schema): Pick<ListType, 'atomic' | 'keys'> {
  const listType = schema['x-kubernetes-list-type'];
  if (listType) {
    return { atomic: listType === 'atomic', keys: (listType === 'map' && schema['x-kubernetes-list-map-keys']) || [] };
  }
  const key = schema['x-kubernetes-patch-merge-key'];
  const merges = schema['x-kubernetes-patch-strategy']?.split(',')[0] === 'merge';
  return { atomic: !merges, keys: merges && key ? [key] : [] };
}

/** A field may declare that the type it refers to is atomic or granular. */
function overridden(atom: Atom | undefined, atomic: boolean): Atom | undefined {
  if (atom?.map) return { ...atom, map: { ...atom.map, atomic } };
  return atom?.list && { ...atom, list: { ...atom.list, atomic } };
}
