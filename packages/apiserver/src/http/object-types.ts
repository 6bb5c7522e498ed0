/** How objects of a kind are decoded, merged and owned: by Go's types for built-in kinds, by a schema for custom ones. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import { kindType } from '@fleet/kube/protobuf/schema.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import { fromMap } from '../go-json/from-map.ts';
import { asKept } from '../go-json/kept.ts';
import { FieldSet } from '../patch/fields/field-set.ts';
import { byName } from '../patch/fields/path-element.ts';
import type { ManagedKind } from '../patch/managers/field-manager.ts';
import { builtInKind } from '../patch/managers/managed-kind.ts';
import { PatchType } from '../patch/patch-type.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { apiVersionOf, type ResourceKind } from '../registry/resource-kind.ts';
import { builtInType, builtInTypeOf } from '../schema/built-in.ts';
import type { Schema } from '../schema/open-api.ts';
import { objectOf } from './read-object.ts';

/** Creates the error with the final name of the object. */
export type KindError = (name: string) => StatusError;

export interface ObjectTypes {
  /**
   * Decodes the object of a body, or of a patch result; throws if it is not of the kind. `unknown` is called with the paths of
   * fields that the kind does not have.
   */
  read(json: JsonObject, unknown?: (path: string) => void): KubeObject;
  /** The object of an apply: for custom kinds it is not decoded again. */
  readApplied?(json: JsonObject): KubeObject;
  /** For `managedFields`, of writes through a subresource or, with an empty text, to the object itself. */
  managed(subresource: string): ManagedKind;
  /** For strategic merge patches; without it they are refused. */
  patchType: PatchType | undefined;
  /** Its schema is so large that every write takes long. */
  isLong?: boolean | undefined;
  /** Go's conversion of a merge result, before it is decoded; throws a GoFault if it is not of the kind. */
  fromMap?: ((json: JsonObject) => JsonObject) | undefined;
  /** An object must have a kind; for built-in kinds the path determines it. */
  requiresKind?: boolean;
  /** The error for an object with another kind. */
  kindError?(json: JsonObject): KindError | undefined;
  /** The part of an object that is written. */
  kept(object: KubeObject): KubeObject;
  /** Of kinds that are not built in, for OpenAPI; a schema that is too long is only on worker threads. */
  schema?: Schema | 'on-thread' | undefined;
}

/** Fields that a request to the other half of an object cannot set are not owned by its field manager. */
const statusFields = FieldSet.of([byName('status')]);
const settableFields = (kept: readonly string[] = []) =>
  FieldSet.of([byName('spec')], ...kept.map((name) => [byName('metadata'), byName(name)]));

export function builtInTypes(kind: ResourceKind): ObjectTypes {
  const apiVersion = apiVersionOf(kind);
  const schema = builtInType(builtInTypeOf(apiVersion, kind.kind) ?? '');
  const { converts } = kind;
  const convert = (object: JsonObject, version: string): JsonObject =>
    converts!(object as unknown as KubeObject, version) as unknown as JsonObject;
  const type = kindType(apiVersion, kind.kind);
  const notOfStatus = settableFields(kind.statusKeeps);
  return {
    read: (json, unknown) => objectOf(json, kind, unknown),
    managed: (subresource) =>
      builtInKind(apiVersion, kind.kind, {
        subresource,
        ...(converts ? { convert } : {}),
        ...(kind.hasStatus ? { resetFields: () => (subresource === 'status' ? notOfStatus : statusFields) } : {}),
      }),
    patchType: schema && new PatchType(schema, kind.kind, builtInType),
    fromMap: (json) => (type ? fromMap(type, json) : json),
    kept: (object) => (type ? (asKept(type, object as unknown as JsonObject) as unknown as KubeObject) : object),
  };
}
