/** Decodes the object in a request's body, and checks that it matches the path. */

import { isObject, type JsonObject, type JsonValue, parseJson } from '@fleet/kube/json-value.ts';
import type { ObjectKind } from '@fleet/kube/protobuf/json-of-protobuf.ts';
import { kindType } from '@fleet/kube/protobuf/schema.ts';
import { isPatch, readRequestBody, unsupportedMediaType } from '@fleet/kube/request-body.ts';
import { badRequest, type StatusError } from '@fleet/kube/status.ts';
import { quoted } from '../errors/quoted.ts';
import { type Decoded, decodeAsGo } from '../go-json/decode.ts';
import { GoFault, jsonWord } from '../go-json/go-fault.ts';
import { goSyntaxFault } from '../go-json/go-syntax.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { apiVersionOf, type ResourceKind } from '../registry/resource-kind.ts';
import { builtInTypeOf } from '../schema/built-in.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { type ApiRequest, oneHeader } from './message.ts';

export const readJson = (request: ApiRequest, expectedKind = 'DeleteOptions'): JsonObject =>
  readBody(request, expectedKind).json;

export interface Body {
  json: JsonObject;
  /** Paths of duplicate fields. */
  duplicates(): string[];
}

/** `asked` is the default kind of a protobuf body that names none. */
export function readBody(request: ApiRequest, expectedKind: string, asked?: ObjectKind): Body {
  const body = readRequestBody(request.body, oneHeader(request, 'content-type'), asked);
  if (!body || isPatch(oneHeader(request, 'content-type'))) throw unsupportedMediaType();
  const text = body.json.toString();
  const unrecognised = (why: string): StatusError =>
    badRequest(
      expectedKind === 'DeleteOptions'
        ? why
        : `the object provided is unrecognized (must be of type ${expectedKind}): ${why} (${summary(request.body)})`,
    );
  let value: JsonValue;
  try {
    // null decodes to an empty object, as in Go.
    value = parseJson(text) ?? {};
  } catch (error) {
    throw unrecognised(
      `couldn't get version/kind; json parse error: ${goSyntaxFault(body.json) ?? (error as Error).message}`,
    );
  }
  const fault = typeMetaFault(value);
  if (fault !== undefined || !isObject(value)) throw unrecognised(fault!);
  return { json: value, duplicates: () => duplicateFields(text, value) };
}

/** Go determines the kind first: its error if that fails. */
export function typeMetaFault(value: JsonValue): string | undefined {
  const broken = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (!isObject(value)) return `${broken} ${jsonWord(value)} into Go value of type ${typeMeta}`;
  const wrong = Object.entries(value).find(
    ([name, one]) => ['apiVersion', 'kind'].includes(name) && typeof one !== 'string' && one !== null,
  );
  if (wrong) return `${broken} ${jsonWord(wrong[1])} into Go struct field .${wrong[0]} of type string`;
  const { apiVersion } = value;
  return typeof apiVersion === 'string' && apiVersion.split('/').length > 2
    ? `unexpected GroupVersion string: ${apiVersion}`
    : undefined;
}

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** The beginning of a body, as kube-apiserver shows it. */
export function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, 30).toString(body[0] === 0x7b ? 'utf8' : 'hex');
  return body.length > 30 ? `${start} ...` : start;
}

/** An object of another kind, or of an unknown one. */
function otherKind(given: { apiVersion: unknown; kind: unknown }, kind: ResourceKind): StatusError {
  const [apiVersion, named] = [String(given.apiVersion), String(given.kind)];
  const version = apiVersion.split('/').at(-1);
  const why = builtInTypeOf(apiVersion, named)
    ? `converting (${version}.${named}) to (${kind.group.split('.')[0] || 'core'}.${kind.kind}): unknown conversion`
    : `no kind ${quoted(named)} is registered for version ${quoted(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  return badRequest(`${named} in version ${quoted(version!)} cannot be handled as a ${kind.kind}: ${why}`, {
    cause: new GoFault(why),
  });
}

/** Decodes as Go does into the kind's type. `unknown` is called with the paths of fields that the type does not have. */
export function objectOf(json: JsonObject, kind: ResourceKind, unknown?: (path: string) => void): KubeObject {
  const { apiVersion, kind: named } = json;
  const expected = apiVersionOf(kind);
  const given = { apiVersion: apiVersion || expected, kind: named || kind.kind };
  if (given.apiVersion !== expected || given.kind !== kind.kind) throw otherKind(given, kind);
  const decoded = decodedAs(kind, json);
  for (const path of decoded.unknown) unknown?.(path);
  const object = { kind: kind.kind, apiVersion: expected, metadata: {}, ...decoded.object } as KubeObject;
  kind.strategy.complete?.(object);
  return object;
}

function decodedAs(kind: ResourceKind, json: JsonObject): Decoded {
  const type = kindType(apiVersionOf(kind), kind.kind);
  if (!type) throw new TypeError(`${apiVersionOf(kind)} has no ${kind.kind}`);
  try {
    return decodeAsGo(type, json, ['apiVersion', 'kind']);
  } catch (fault) {
    if (!(fault instanceof GoFault)) throw fault;
    throw badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${fault.message}`,
      {
        cause: fault,
      },
    );
  }
}

export function refuseOtherNamespace({ metadata }: KubeObject, namespace: string | undefined): void {
  if (namespace && metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** The name of a PUT's object must be that of its path. */
export function refuseOtherName({ metadata }: KubeObject, name: string): void {
  if (metadata.name && metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  if (!metadata.name)
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
}
