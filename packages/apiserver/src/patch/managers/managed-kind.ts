/** What the field manager needs to know of a kind, for built-in ones and for those of CRDs. */

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
  /** In each version. */
  resetFields?: (apiVersion: string) => FieldSet | undefined;
  /** Between versions; without it other versions are taken to differ in nothing but their name. */
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

/** Types are made once for all. */
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

/** Of a CRD: `schemaOf` gives the schema of a version that is served; one that says nothing takes anything. */
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

/** The fields that every object has are not the CRD's to describe. */
function customType(schema: Schema): TypeRef {
  if (!schema.properties && !schema.type) return deduced;
  const properties = { ...schema.properties, apiVersion: text, kind: text, metadata: objectMeta };
  return mergeTypes(builtInType).ofSchema({ ...schema, properties });
}
