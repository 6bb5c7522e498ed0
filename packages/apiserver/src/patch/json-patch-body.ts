/** Parses the body of a JSON patch: its operations, and strict errors that do not make it invalid. */

import { isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { goKind } from './go-text.ts';

export interface Operation {
  op?: string;
  path?: string;
  from?: string;
  value?: JsonValue;
}

const mostOperations = 10_000;

const known = ['op', 'path', 'from', 'value'];

export interface JsonPatchBody {
  operations: Operation[];
  /** Returned as warnings, or as an error with `fieldValidation=Strict`. */
  strictErrors: string[];
}

const cannotRead = (value: JsonValue, into: string): StatusError =>
  badRequest(`error decoding patch: json: cannot unmarshal ${goKind(value)} into Go ${into}`);

/** The error of another decoder, which runs first without field validation. */
const noPatch = (value: JsonValue, type: 'Operation' | 'Patch'): StatusError =>
  badRequest(`json: cannot unmarshal ${goKind(value)} into Go value of type jsonpatch.${type}`);

/** `isStrict`: strict errors are looked for. */
export function readJsonPatch(body: JsonValue, isStrict = true): JsonPatchBody {
  // Go treats null like an empty patch.
  if (body === null) return { operations: [], strictErrors: [] };
  if (!Array.isArray(body))
    throw isStrict ? cannotRead(body, 'value of type []handlers.jsonPatchOp') : noPatch(body, 'Patch');
  const wrong = isStrict ? undefined : body.find((one) => one !== null && !isObject(one));
  if (wrong !== undefined) throw noPatch(wrong, 'Operation');
  const operations = body.map(readOperation);
  if (operations.length > mostOperations) {
    throw new StatusError(
      413,
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`,
    );
  }
  const strictErrors = body.flatMap((one, index) =>
    Object.keys(one ?? {}).flatMap((key) =>
      known.includes(key) ? [] : [`json patch unknown field ${JSON.stringify(`[${index}].${key}`)}`],
    ),
  );
  return { operations, strictErrors };
}

function readOperation(body: JsonValue): Operation {
  if (body === null) return {};
  if (!isObject(body)) throw cannotRead(body, 'value of type handlers.jsonPatchOp');
  return {
    ...readText(body, 'op'),
    ...readText(body, 'path'),
    ...readText(body, 'from'),
    ...(Object.hasOwn(body, 'value') ? { value: body['value']! } : {}),
  };
}

function readText(body: JsonObject, name: 'op' | 'path' | 'from'): Operation {
  const value = Object.hasOwn(body, name) ? body[name]! : null;
  if (value === null) return {};
  if (typeof value !== 'string') throw cannotRead(value, `struct field jsonPatchOp.${name} of type string`);
  return { [name]: value };
}
