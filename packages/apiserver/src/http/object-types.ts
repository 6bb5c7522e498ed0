/** How the objects of a kind are read, merged and owned: by Go's types for built-in kinds, by a schema for those of CRDs. */

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

/** Told with the name that the object has in the end. */
export type KindMisfit = (name: string) => StatusError;

export interface ObjectTypes {
  /**
   * The object that a body holds, or that a patch has made; throws if it is none of the kind. `unknown` is told the paths of
   * fields that the kind does not have.
   */
  read(json: JsonObject, unknown?: (path: string) => void): KubeObject;
  /** The object that an apply has made: of custom kinds it is not decoded once more. */
  readApplied?(json: JsonObject): KubeObject;
  /** For `managedFields`, of what is written through a subresource or, with an empty one, the object itself. */
  managed(subresource: string): ManagedKind;
  /** Of strategic merge patches; without it they are refused. */
  patchType: PatchType | undefined;
  /** Its schema is so large that whatever is written takes long. */
  isLong?: boolean | undefined;
  /** What Go makes of what was merged, before it is read; throws a GoFault if that cannot be one of the kind. */
  fromMap?: ((json: JsonObject) => JsonObject) | undefined;
  /** An object must say what it is; of built-in kinds the path tells. */
  mustSayKind?: boolean;
  /** What is wrong with an object that says to be of another kind. */
  kindMisfit?(json: JsonObject): KindMisfit | undefined;
  /** What of an object is written. */
  kept(object: KubeObject): KubeObject;
  /** Of kinds that are not built in, for OpenAPI; one that is too long is known to threads alone. */
  schema?: Schema | 'elsewhere' | undefined;
}

/** What a request to the other half of an object cannot set is not owned by who sends it. */
const statusFields = FieldSet.of([byName('status')]);
const wantedFields = (kept: readonly string[] = []) =>
  FieldSet.of([byName('spec')], ...kept.map((name) => [byName('metadata'), byName(name)]));

export function builtInTypes(kind: ResourceKind): ObjectTypes {
  const apiVersion = apiVersionOf(kind);
  const schema = builtInType(builtInTypeOf(apiVersion, kind.kind) ?? '');
  const { converts } = kind;
  const convert = (object: JsonObject, version: string): JsonObject =>
    converts!(object as unknown as KubeObject, version) as unknown as JsonObject;
  const type = kindType(apiVersion, kind.kind);
  const notOfStatus = wantedFields(kind.statusKeeps);
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
