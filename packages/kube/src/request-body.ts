/** Converts a request's body to JSON, whichever of Kubernetes' formats it has (LIST-9). */

import { jsonOfProtobuf, type ObjectKind } from './protobuf/json-of-protobuf.ts';
import { StatusError } from './status.ts';
import { jsonOfYaml } from './yaml-json.ts';
import { yamlText } from './yaml-text.ts';

export interface RequestBody {
  json: Buffer;
  /** The content type to forward the JSON with. */
  contentType: string;
  is: 'object' | 'json-patch';
}

const json = 'application/json';
const yaml = 'application/yaml';
const protobuf = 'application/vnd.kubernetes.protobuf';
const jsonPatch = 'application/json-patch+json';
export const applyPatch = 'application/apply-patch+yaml';
/** Partial objects. */
const objectPatches = ['application/merge-patch+json', 'application/strategic-merge-patch+json'];

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** With kube-apiserver's message. */
export const unsupportedMediaType = (): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${[json, yaml, protobuf].join(', ')}`,
  );

const typeOf = (contentType: string | undefined): string =>
  contentType ? contentType.split(';')[0]!.trim().toLowerCase() : json;

/** The format that is the most expensive to parse. */
export const isYaml = (contentType: string | undefined): boolean => [yaml, applyPatch].includes(typeOf(contentType));

/** Formats of patches are not formats of objects. */
export const isPatch = (contentType: string | undefined): boolean =>
  [jsonPatch, applyPatch, ...objectPatches].includes(typeOf(contentType));

/**
 * Undefined for a format that no Kubernetes server reads: the server that receives the body refuses it.
 * Invalid JSON is refused by whoever parses it. `asked` is the kind that the URL accepts, for bodies that name none.
 */
export function readRequestBody(
  bytes: Buffer,
  contentType: string | undefined,
  asked?: ObjectKind,
): RequestBody | undefined {
  const type = typeOf(contentType);
  if (type === json || objectPatches.includes(type)) return { json: bytes, contentType: type, is: 'object' };
  if (type === jsonPatch) return { json: bytes, contentType: type, is: 'json-patch' };
  // JSON is YAML; unchanged, it keeps its numbers and the order of its keys.
  if (type === applyPatch) return { json: jsonFromYaml(bytes), contentType: type, is: 'object' };
  if (type === yaml) return { json: jsonFromYaml(bytes), contentType: json, is: 'object' };
  if (type === protobuf) return { json: jsonOfProtobuf(bytes, asked), contentType: json, is: 'object' };
  return undefined;
}

function jsonFromYaml(bytes: Buffer): Buffer {
  const text = yamlText(bytes);
  return isJson(text) ? bytes : jsonOfYaml(text);
}
