/** Applies a JSON patch, merge patch or strategic merge patch to an object. Errors come in Go's order. */

import { isObject, type JsonObject, type JsonValue, jsonText, parseJson, setField } from '@fleet/kube/json-value.ts';
import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { invalidValue } from '../errors/field-error.ts';
import { invalid } from '../errors/refusals.ts';
import { GoFault } from '../go-json/go-fault.ts';
import { goSyntaxFault } from '../go-json/go-syntax.ts';
import { compareText, goText } from '../patch/go-text.ts';
import { mergePatch } from '../patch/json-merge-patch.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { type Operation, readJsonPatch } from '../patch/json-patch-body.ts';
import { readMergePatch, readStrategicPatch } from '../patch/merge-patch-body.ts';
import { strategicMergePatch } from '../patch/strategic-merge-patch.ts';
import { withoutNulls } from '../patch/without-nulls.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { type ApiRequest, oneHeader } from './message.ts';
import type { ObjectTypes } from './object-types.ts';
import { typeMetaFault } from './read-object.ts';
import { type FieldValidation, StrictFields } from './strict-fields.ts';

const jsonPatch = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';

export interface Patched {
  json: JsonObject;
  /** Unknown and duplicate fields of the patch itself. */
  strict: StrictFields;
  /** The error for an invalid `json`, blaming the patch. */
  refuse(why: string): StatusError;
  isStrategic: boolean;
}

export function knownType(request: ApiRequest, { patchType }: ObjectTypes, others: readonly string[] = []): string {
  const type = (oneHeader(request, 'content-type') ?? '').split(';')[0]!;
  const known = [jsonPatch, merge, ...(patchType ? [strategic] : []), ...others];
  if (known.includes(type)) return type;
  // For built-in kinds the router refuses it.
  throw patchType
    ? new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
    : unsupportedPatch(known);
}

export function patched(
  request: ApiRequest,
  types: ObjectTypes,
  old: KubeObject,
  directive: FieldValidation = 'Warn',
): Patched {
  const object = old as unknown as JsonObject;
  switch (knownType(request, types)) {
    case jsonPatch:
      return byJsonPatch(request.body, object, directive);
    case merge:
      return byMergePatch(request.body, object, directive);
    default:
      return byStrategicPatch(request.body, object, directive, types);
  }
}

function byJsonPatch(body: Buffer, old: JsonObject, directive: FieldValidation): Patched {
  const strict = new StrictFields(directive);
  const { value, twice } = parse(body, directive === 'Ignore' ? '' : 'error decoding patch: ');
  const { operations, strictErrors } = readJsonPatch(value, directive !== 'Ignore');
  for (const fault of strictErrors) strict.add(fault);
  for (const path of twice()) strict.add(`json patch duplicate field ${JSON.stringify(path)}`);
  return made(ordered(applyJsonPatch(old, operations), throughPointers(operations)), strict);
}

function byMergePatch(body: Buffer, old: JsonObject, directive: FieldValidation): Patched {
  const strict = new StrictFields(directive);
  // Without field validation kube-apiserver reports only that it is not JSON.
  const { value, twice } = parse(body, directive === 'Ignore' ? undefined : 'error decoding patch: ');
  // A list replaces the object, and is then refused.
  if (directive === 'Ignore' && Array.isArray(value)) return made(withoutNulls(value), strict);
  const patch = readMergePatch(value, directive !== 'Ignore');
  for (const path of twice()) strict.twice(path);
  return made(ordered(mergePatch(old, patch), throughObjects(patch)), strict);
}

function byStrategicPatch(
  body: Buffer,
  old: JsonObject,
  directive: FieldValidation,
  { patchType, fromMap }: ObjectTypes,
): Patched {
  const strict = new StrictFields(directive);
  const { value, twice } = parse(body, '');
  const patch = readStrategicPatch(value);
  for (const path of twice()) strict.twice(path);
  const merged = strategicMergePatch(old, patch, patchType!);
  const refuse = (why: string) => badPatch(goText(patch), why);
  // A strategic merge keeps the object's type, whatever the patch contains.
  const json = { ...converted(merged, fromMap, refuse), apiVersion: old['apiVersion']!, kind: old['kind']! };
  return { json, strict, refuse, isStrategic: true };
}

function converted(merged: JsonObject, fromMap: ObjectTypes['fromMap'], refuse: Patched['refuse']): JsonObject {
  try {
    return fromMap?.(merged) ?? merged;
  } catch (fault) {
    throw fault instanceof GoFault ? refuse(fault.message) : fault;
  }
}

/** Sorts the keys of objects that the patch changed, as Go writes maps: unknown fields are reported in that order. */
function ordered(json: JsonValue, through: Through): JsonValue {
  if (!isObject(json)) return json;
  const sorted: JsonObject = {};
  for (const key of Object.keys(json).sort(compareText)) {
    const below = through.get(key);
    setField(sorted, key, below ? ordered(json[key]!, below) : json[key]!);
  }
  return sorted;
}

/** The objects that a patch changed, by their keys. */
interface Through extends Map<string, Through> {}

function throughPointers(operations: readonly Operation[]): Through {
  const through: Through = new Map();
  for (const { path = '' } of operations) {
    let at = through;
    for (const key of path.split('/').slice(1, -1)) at = below(at, key);
  }
  return through;
}

function throughObjects(patch: JsonObject): Through {
  const objects = Object.entries(patch).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
  return new Map(objects.map(([key, value]) => [key, throughObjects(value)]));
}

function below(through: Through, key: string): Through {
  const known = through.get(key) ?? new Map();
  through.set(key, known);
  return known;
}

function made(json: JsonValue, strict: StrictFields): Patched {
  const refuse = (why: string) => badPatch(jsonText(json), why);
  const fault = typeMetaFault(json);
  if (fault !== undefined || !isObject(json)) throw refuse(fault!);
  return { json, strict, refuse, isStrategic: false };
}

const badPatch = (shown: string, why: string): StatusError =>
  invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown, why)]);

interface Parsed {
  value: JsonValue;
  /** Paths of duplicate fields. */
  twice(): string[];
}

/** Invalid JSON has Go's error after the prefix `before`; without a prefix a shorter one. */
function parse(body: Buffer, before: string | undefined): Parsed {
  const text = body.toString();
  try {
    const value = parseJson(text);
    return { value, twice: () => duplicateFields(text, value) };
  } catch (cause) {
    const why = goSyntaxFault(body) ?? (cause as Error).message;
    throw badRequest(before === undefined ? 'Invalid JSON Patch' : `${before}${why}`, { cause });
  }
}

const unsupportedPatch = (known: readonly string[]): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${known.join(', ')}`,
  );
