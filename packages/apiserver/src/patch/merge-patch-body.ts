/** Parses the body of a merge patch or a strategic merge patch. */

import { isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { badRequest } from '@fleet/kube/status.ts';
import { goKind } from './go-text.ts';

const noMap = (body: JsonValue): string =>
  `json: cannot unmarshal ${goKind(body)} into Go value of type map[string]interface {}`;

/** `isStrict`: field validation is on, which has its own error. */
export function readMergePatch(body: JsonValue, isStrict = true): JsonObject {
  if (isObject(body)) return body;
  throw badRequest(body === null || !isStrict ? 'Invalid JSON Patch' : `error decoding patch: ${noMap(body)}`);
}

/** Null is a patch that changes nothing. */
export function readStrategicPatch(body: JsonValue): JsonObject {
  if (body === null) return {};
  if (isObject(body)) return body;
  throw badRequest(noMap(body));
}
