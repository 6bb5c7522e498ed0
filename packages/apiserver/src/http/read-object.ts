/** The object in a request's body, and whether it is what the path says. */

import { readRequestBody, unsupportedMediaType } from '@fleet/kube/request-body.ts';
import { badRequest } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { apiVersionOf, type ResourceKind } from '../registry/resource-kind.ts';
import { isPlainObject, notHandled, readFields, readMetadata } from './go-types.ts';
import { type ApiRequest, oneHeader } from './message.ts';

export function readJson(request: ApiRequest): Record<string, unknown> {
  const body = readRequestBody(request.body, oneHeader(request, 'content-type'));
  if (!body) throw unsupportedMediaType();
  try {
    const value: unknown = JSON.parse(body.json.toString());
    if (isPlainObject(value)) return value;
  } catch (cause) {
    throw badRequest(`couldn't get version/kind; json parse error: ${(cause as Error).message}`, { cause });
  }
  throw badRequest("couldn't get version/kind; json parse error: json: cannot unmarshal into Go value");
}

export const readObject = (request: ApiRequest, kind: ResourceKind): KubeObject => objectOf(readJson(request), kind);

/** As Go would decode it into the kind's type. */
export function objectOf(json: Record<string, unknown>, kind: ResourceKind): KubeObject {
  const { apiVersion, kind: named, metadata, ...rest } = json;
  const expected = apiVersionOf(kind);
  if (apiVersion && apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (named && named !== kind.kind) {
    const why = `the kind in the data (${named}) does not match the expected kind (${kind.kind})`;
    throw notHandled(kind, why);
  }
  const fields = kind.fields ? readFields(rest, kind.fields, kind, kind.kind) : rest;
  return { ...fields, apiVersion: expected, kind: kind.kind, metadata: readMetadata(metadata, kind) };
}

/** A PUT is for the object that its path names. */
export function refuseOtherName({ metadata }: KubeObject, name: string, namespace: string | undefined): void {
  if (metadata.name && metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  if (!metadata.name)
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (namespace && metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest(
      `the namespace of the object (${metadata.namespace}) does not match the namespace on the request (${namespace})`,
    );
  }
}
