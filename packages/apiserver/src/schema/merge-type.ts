/** A type as server-side apply sees it: what may stand there, and what in it can be owned on its own (structured-merge-diff). */

import type { JsonValue } from '@fleet/kube/json-value.ts';
import { type Definitions, propertyOf, type Schema } from './open-api.ts';

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

/** Each that is there may be the value; nothing at all refuses any. */
export interface Atom {
  scalar?: ScalarType;
  list?: ListType;
  map?: MapType;
}

export interface ListType {
  element: TypeRef;
  /** Atomic lists have one owner. */
  atomic: boolean;
  /** An associative list without keys is a set. */
  keys: readonly string[];
}

export interface MapType {
  field(name: string): MapField | undefined;
  hasFields: boolean;
  /** Of fields that are not declared; if missing, none may be. */
  element: TypeRef | undefined;
  atomic: boolean;
}

export interface MapField {
  type: TypeRef;
  default: JsonValue | undefined;
}

/** Resolved when asked for: types may contain themselves. */
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

/** Anything, of which lists and maps have one owner. */
const untyped: TypeRef = lazily(
  () => ({
    scalar: 'untyped',
    list: { element: untyped, atomic: true, keys: [] },
    map: { field: noField, hasFields: false, element: untyped, atomic: true },
  }),
  '__untyped_atomic_',
);

/** Anything: maps by their fields, lists as one. What CRDs without a schema are. */
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

/** One per schema, as types are compared by identity and made of many references. */
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

/** The list type decides; older types have only a patch strategy. */
function relationship(schema: Schema): Pick<ListType, 'atomic' | 'keys'> {
  const listType = schema['x-kubernetes-list-type'];
  if (listType) {
    return { atomic: listType === 'atomic', keys: (listType === 'map' && schema['x-kubernetes-list-map-keys']) || [] };
  }
  const key = schema['x-kubernetes-patch-merge-key'];
  const merges = schema['x-kubernetes-patch-strategy']?.split(',')[0] === 'merge';
  return { atomic: !merges, keys: merges && key ? [key] : [] };
}

/** A field may say of the type that it refers to that it has one owner, or many. */
function overridden(atom: Atom | undefined, atomic: boolean): Atom | undefined {
  if (atom?.map) return { ...atom, map: { ...atom.map, atomic } };
  return atom?.list && { ...atom, list: { ...atom.list, atomic } };
}
