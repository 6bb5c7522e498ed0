/** A PATCH: what it makes of an object, by its type. */

import { isObject, type JsonObject, type JsonValue, parseJson } from '@fleet/kube/json-value.ts';
import { applyPatch, readRequestBody } from '@fleet/kube/request-body.ts';
import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { required } from '../errors/field-error.ts';
import { invalid } from '../errors/refusals.ts';
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

const jsonPatch = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';

export interface Patch {
  change: Change;
  /** An apply makes what is not there. */
  mayCreate: boolean;
}

export interface PatchContext {
  request: ApiRequest;
  query: URLSearchParams;
  types: ObjectTypes;
  owner: FieldOwner;
  subresource: string | undefined;
}

export function readPatch(context: PatchContext): Patch {
  const { request, query, types, owner, subresource } = context;
  const type = typeOf(request);
  const known = [jsonPatch, merge, ...(types.patchType ? [strategic] : []), applyPatch];
  if (!known.includes(type)) throw unsupportedPatch(known);
  const manager = managerOf(request, query);
  if (type === applyPatch) return readApply(context, manager);
  const patched = readPatchOf(request, types);
  const change: Change = (old) => {
    const made = patched(old as unknown as JsonObject);
    if (!isObject(made)) throw badRequest('the patch leaves no object');
    return owner.tracked(old, types.read(made), manager, subresource);
  };
  return { change, mayCreate: false };
}

/** What a patch that is no apply makes of an object. */
export function readPatchOf(request: ApiRequest, types: ObjectTypes): (old: JsonObject) => JsonValue {
  const type = typeOf(request);
  const known = [jsonPatch, merge, ...(types.patchType ? [strategic] : [])];
  if (!known.includes(type)) throw unsupportedPatch(known);
  return patcher(type, parse(request), types);
}

const typeOf = (request: ApiRequest): string =>
  (oneHeader(request, 'content-type') ?? '').split(';')[0]!.trim().toLowerCase();

function readApply({ request, query, types, owner, subresource }: PatchContext, manager: string): Patch {
  if (!query.get('fieldManager')) {
    const missing = required('fieldManager', 'is required for apply patch');
    throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [missing]);
  }
  const config = parse(request);
  if (!isObject(config)) throw badRequest('error decoding YAML: the configuration is no object');
  const force = isTrue(query.get('force'));
  const change = (old: KubeObject | undefined): KubeObject =>
    types.read(asJson(owner.applied(old, config, manager, force, subresource)));
  return { change, mayCreate: subresource === undefined };
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

function parse(request: ApiRequest): JsonValue {
  const body = readRequestBody(request.body, oneHeader(request, 'content-type'));
  try {
    return parseJson(body!.json.toString());
  } catch (cause) {
    throw badRequest(`error decoding patch: ${(cause as Error).message}`, { cause });
  }
}

const unsupportedPatch = (known: readonly string[]): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${known.join(', ')}`,
  );
