/** A PATCH: what it makes of an object, by its type. */

import { isObject, type JsonObject, type JsonValue, jsonText, parseJson } from '@fleet/kube/json-value.ts';
import { applyPatch, readRequestBody } from '@fleet/kube/request-body.ts';
import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { invalidValue } from '../errors/field-error.ts';
import { invalid } from '../errors/refusals.ts';
import { GoFault, jsonWord } from '../go-json/go-fault.ts';
import { goSyntaxFault } from '../go-json/go-syntax.ts';
import { mergePatch } from '../patch/json-merge-patch.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { readJsonPatch } from '../patch/json-patch-body.ts';
import { readMergePatch, readStrategicPatch } from '../patch/merge-patch-body.ts';
import { strategicMergePatch } from '../patch/strategic-merge-patch.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { Change } from '../registry/update.ts';
import { type FieldOwner, managerOf } from './field-owner.ts';
import { type ApiRequest, oneHeader } from './message.ts';
import type { ObjectTypes } from './object-types.ts';
import { isTrue } from './read-options.ts';
import { type FieldValidation, StrictFields } from './strict-fields.ts';
import { readWriteOptions } from './write-options.ts';

const jsonPatch = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';

export interface Patch {
  change: Change;
  /** An apply makes what is not there. */
  mayCreate: boolean;
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

/** What is wrong with the patch itself is told only once there is an object to patch. */
export function readPatch(context: PatchContext): Patch {
  const { request, query, types, owner, subresource, warn } = context;
  const type = knownType(request, types, [applyPatch]);
  const isApply = type === applyPatch;
  const { dryRun, fieldValidation } = readWriteOptions(query, 'PatchOptions', isApply ? 'apply' : 'other');
  const manager = managerOf(request, query);
  if (isApply) return { change: applied(context, manager), mayCreate: subresource === undefined, dryRun };
  const change: Change = (old) => {
    const strict = new StrictFields(fieldValidation);
    const made = patched(request, types, old!, fieldValidation);
    const object = readPatched(types, made, strict);
    strict.settle((why) => badPatch(made, why), warn);
    return owner.tracked(old, object, manager, subresource);
  };
  return { change, mayCreate: false, dryRun };
}

function knownType(request: ApiRequest, { patchType }: ObjectTypes, others: readonly string[] = []): string {
  const type = (oneHeader(request, 'content-type') ?? '').split(';')[0]!;
  const known = [jsonPatch, merge, ...(patchType ? [strategic] : []), ...others];
  if (known.includes(type)) return type;
  // Of built-in kinds the router says so.
  throw patchType
    ? new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
    : unsupportedPatch(known);
}

/** What a patch that is no apply makes of an object. */
export function patched(
  request: ApiRequest,
  types: ObjectTypes,
  old: KubeObject,
  directive: FieldValidation = 'Warn',
): JsonObject {
  const type = knownType(request, types);
  const made = patcher(type, parse(request, faultOf(type, directive)), types)(asJson(old));
  if (!isObject(made)) throw badRequest('the patch leaves no object');
  // What is merged by its type is of that type, whatever the patch says.
  return type === strategic ? { ...made, apiVersion: old.apiVersion, kind: old.kind } : made;
}

/** As `types` read it, but what does not fit is the patch's fault. */
export function readPatched(types: ObjectTypes, made: JsonObject, strict?: StrictFields): KubeObject {
  try {
    return types.read(made, strict?.unknown);
  } catch (error) {
    if (error instanceof StatusError && error.cause instanceof GoFault) throw badPatch(made, error.cause.message);
    throw error;
  }
}

const badPatch = (made: JsonObject, why: string): StatusError =>
  invalid({ group: '', kind: '' }, '', [invalidValue('patch', jsonText(made), why)]);

const applied =
  ({ request, query, types, owner, subresource }: PatchContext, manager: string) =>
  (old: KubeObject | undefined): KubeObject => {
    const config = parseConfig(request);
    return types.read(asJson(owner.applied(old, config, manager, isTrue(query.get('force')), subresource)));
  };

function parseConfig(request: ApiRequest): JsonObject {
  let config: JsonValue;
  try {
    config = parse(request, (why) => why);
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

const asJson = (object: KubeObject): JsonObject => object as unknown as JsonObject;

function patcher(type: string, body: JsonValue, { patchType }: ObjectTypes): (old: JsonObject) => JsonValue {
  switch (type) {
    case jsonPatch: {
      const { operations } = readJsonPatch(body);
      return (old) => applyJsonPatch(old, operations);
    }
    case merge: {
      const patch = readMergePatch(body);
      return (old) => mergePatch(old, patch);
    }
    default: {
      const patch = readStrategicPatch(body);
      return (old) => strategicMergePatch(old, patch, patchType!);
    }
  }
}

/** How it is told that a patch is no JSON depends on who reads it first. */
const faultOf =
  (type: string, directive: FieldValidation) =>
  (why: string): string => {
    if (directive !== 'Ignore' && type !== strategic) return `error decoding patch: ${why}`;
    return type === merge ? 'Invalid JSON Patch' : why;
  };

function parse(request: ApiRequest, fault: (why: string) => string): JsonValue {
  const body = readRequestBody(request.body, oneHeader(request, 'content-type'));
  const text = body!.json.toString();
  try {
    return parseJson(text);
  } catch (cause) {
    throw badRequest(fault(goSyntaxFault((cause as Error).message, text)), { cause });
  }
}

const unsupportedPatch = (known: readonly string[]): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${known.join(', ')}`,
  );
