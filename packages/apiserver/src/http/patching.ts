/** Serves PATCH: its result for an object, by the patch's type, and the owner of the changes. */

import { isObject, type JsonObject, type JsonValue, parseJson } from '@fleet/kube/json-value.ts';
import { applyPatch, readRequestBody } from '@fleet/kube/request-body.ts';
import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { yamlDuplicates, yamlErrors } from '@fleet/kube/yaml-duplicates.ts';
import { GoFault, jsonWord } from '../go-json/go-fault.ts';
import { groupVersionKind, nameIn } from '../patch/managers/field-manager.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { Change } from '../registry/update.ts';
import { disowned, type FieldOwner, managerOf } from './field-owner.ts';
import { type ApiRequest, oneHeader } from './message.ts';
import type { ObjectTypes } from './object-types.ts';
import { knownType, type Patched, patched } from './patched.ts';
import { isTrue } from './read-options.ts';
import type { FieldValidation } from './strict-fields.ts';
import { readWriteOptions } from './write-options.ts';

export interface Patch {
  change: Change;
  /** An apply creates the object if it does not exist. */
  isApply: boolean;
  dryRun: boolean;
}

export interface PatchContext {
  request: ApiRequest;
  query: URLSearchParams;
  types: ObjectTypes;
  owner: FieldOwner;
  subresource: string | undefined;
  warn(text: string): void;
}

/** Errors of the patch itself are reported only once there is an object to patch. */
export function readPatch(context: PatchContext): Patch {
  const { request, query, types, owner, subresource, warn } = context;
  const type = knownType(request, types, [applyPatch]);
  const isApply = type === applyPatch;
  const { dryRun, fieldValidation } = readWriteOptions(query, 'PatchOptions', isApply ? 'apply' : 'other');
  const manager = managerOf(request, query);
  if (isApply) return { change: applied(context, manager, fieldValidation), isApply, dryRun };
  const change: Change = (old) => {
    const made = patched(request, types, old!, fieldValidation);
    // A write of the status cannot set the kind.
    if (subresource === 'status' && made.json['kind'] && types.kindError?.(made.json))
      return disowned(readPatched(types, { ...made, json: { ...made.json, kind: old!.kind } }, warn));
    return owner.tracked(old, readPatched(types, made, warn), manager, subresource);
  };
  return { change, isApply, dryRun };
}

/** Decoded by `types`; errors are blamed on the patch. */
export function readPatched(types: ObjectTypes, made: Patched, warn: PatchContext['warn']): KubeObject {
  const { json, strict, refuse, isStrategic } = made;
  const unknown: string[] = [];
  try {
    const object = types.read(json, (path) => unknown.push(path));
    for (const path of isStrategic ? unknown.sort() : unknown) strict.unknown(path);
    strict.settle(refuse, warn);
    return object;
  } catch (error) {
    if (error instanceof StatusError && error.cause instanceof GoFault) throw refuse(error.cause.message);
    throw error;
  }
}

const applied =
  ({ request, query, types, owner, subresource, warn }: PatchContext, manager: string, directive: FieldValidation) =>
  (old: KubeObject | undefined): KubeObject => {
    const config = readConfig(request);
    const object = owner.applied(old, config, manager, isTrue(query.get('force')), subresource);
    const twice = directive === 'Ignore' ? [] : yamlDuplicates(request.body.toString());
    if (twice.length > 0 && directive === 'Strict')
      throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${yamlErrors(twice)}`);
    for (const text of twice) warn(text);
    return readApplied(types, object as unknown as JsonObject, config);
  };

/** The result is not an object of the kind, though its fields have the types of the schema. */
function readApplied(types: ObjectTypes, object: JsonObject, config: JsonObject): KubeObject {
  try {
    return types.readApplied?.(object) ?? types.read(types.fromMap?.(object) ?? object);
  } catch (error) {
    if (!(error instanceof GoFault)) throw error;
    throw new StatusError(
      500,
      '',
      `failed to convert new object (${nameIn(config)}; ${groupVersionKind(config)}) to proper version: unable to convert unstructured object to ${groupVersionKind(config)}: ${error.message}`,
      undefined,
      { cause: error },
    );
  }
}

/** The applied configuration. */
export function readConfig(request: ApiRequest): JsonObject {
  let config: JsonValue;
  try {
    config = parseJson(readRequestBody(request.body, oneHeader(request, 'content-type'))!.json.toString());
  } catch (error) {
    if (error instanceof StatusError) throw badRequest(`error decoding YAML: ${error.message}`, { cause: error });
    throw error;
  }
  if (isObject(config)) return config;
  throw badRequest(
    config === null
      ? 'invalid object type: /, Kind='
      : `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonWord(config)} into Go value of type map[string]interface {}`,
  );
}
