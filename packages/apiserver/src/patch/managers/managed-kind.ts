/** A kind as the field manager uses it, built in or custom. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import { kindType } from '@fleet/kube/protobuf/schema.ts';
import { zeroObject } from '../../go-json/zero-value.ts';
import { builtInType, builtInTypeOf } from '../../schema/built-in.ts';
import { deduced, mergeTypes, type TypeRef } from '../../schema/merge-type.ts';
import type { Schema } from '../../schema/open-api.ts';
import type { FieldSet } from '../fields/field-set.ts';
import type { ManagedKind } from './field-manager.ts';

export interface KindOptions {
  subresource?: string;
  /** For each version. */
  resetFields?: (apiVersion: string) => FieldSet | undefined;
  /** Converts between versions; without it they differ only in the apiVersion. */
  convert?: (object: JsonObject, apiVersion: string) => JsonObject;
}

const renamed = (object: JsonObject, apiVersion: string): JsonObject => ({ ...object, apiVersion });

const common = (
  apiVersion: string,
  kind: string,
  { subresource = '', resetFields = () => undefined, convert = renamed }: KindOptions,
) => ({
  apiVersion,
  kind,
  subresource,
  convert,
  resetFields,
});

const zeroOfKind = (apiVersion: string, kind: string): JsonObject => {
  const type = kindType(apiVersion, kind);
  return type ? zeroObject(type) : {};
};

/** Types are built once for all kinds. */
const builtInTypes = mergeTypes(builtInType);

export function builtInKind(apiVersion: string, kind: string, options: KindOptions = {}): ManagedKind {
  const name = builtInTypeOf(apiVersion, kind);
  const schema = name === undefined ? undefined : builtInType(name);
  if (!schema) throw new TypeError(`${apiVersion} has no ${kind}`);
  return {
    ...common(apiVersion, kind, options),
    empty: { ...zeroOfKind(apiVersion, kind), apiVersion, kind },
    typeOf(version) {
      const typeName = builtInTypeOf(version, kind);
      return typeName === undefined ? undefined : builtInTypes.ofName(typeName);
    },
  };
}

const objectMeta: Schema = { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
const text: Schema = { type: 'string' };

/** For a CRD: `schemaOf` gives the schema of a served version; an empty schema accepts anything. */
export function customKind(
  apiVersion: string,
  kind: string,
  schemaOf: (apiVersion: string) => Schema | undefined,
  options: KindOptions = {},
): ManagedKind {
  const types = new Map<string, TypeRef>();
  return {
    ...common(apiVersion, kind, options),
    empty: { apiVersion, kind },
    knowsItsVersions: true,
    typeOf(version) {
      const schema = schemaOf(version);
      const known = types.get(version);
      if (!schema || known) return schema && known;
      const made = customType(schema);
      types.set(version, made);
      return made;
    },
  };
}

/** The fields that every object has are not part of the CRD's schema. */
function customType(schema: Schema): TypeRef {
  if (!schema.properties && !schema.type) return deduced;
  const properties = { ...schema.properties, apiVersion: text, kind: text, metadata: objectMeta };
  return mergeTypes(builtInType).ofSchema({ ...schema, properties });
}
