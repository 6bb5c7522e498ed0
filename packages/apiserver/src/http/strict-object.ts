/** The object in a body, with what means nothing in it settled as the client asks. */

import { badRequest } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { apiVersionOf, type ResourceKind } from '../registry/resource-kind.ts';
import type { ObjectTypes } from './object-types.ts';
import { readBody } from './read-object.ts';
import { type FieldValidation, StrictFields } from './strict-fields.ts';
import type { Call } from './verbs.ts';

export function readObject(
  asked: ResourceKind,
  types: ObjectTypes,
  { request, warn }: Pick<Call, 'request' | 'warn'>,
  directive: FieldValidation,
): KubeObject {
  const { kind, version } = asked;
  const { json, duplicates } = readBody(request, kind, { apiVersion: apiVersionOf(asked), kind });
  const strict = new StrictFields(directive);
  for (const path of duplicates()) strict.twice(path);
  const object = types.read(json, strict.unknown);
  strict.settle((why) => badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`), warn);
  return object;
}
