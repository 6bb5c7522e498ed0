/** Decodes the object in a body, and handles its unknown and duplicate fields as the client requests. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import { isYaml } from '@fleet/kube/request-body.ts';
import { badRequest } from '@fleet/kube/status.ts';
import { yamlDuplicates } from '@fleet/kube/yaml-duplicates.ts';
import { goJson } from '../patch/go-text.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { apiVersionOf, type ResourceKind } from '../registry/resource-kind.ts';
import { type FieldFault, inOrderOfText } from './duplicate-fields.ts';
import { type ApiRequest, oneHeader } from './message.ts';
import type { KindError, ObjectTypes } from './object-types.ts';
import { readBody, summary } from './read-object.ts';
import { type FieldValidation, StrictFields } from './strict-fields.ts';
import type { Call } from './verb.ts';

export function readObject(
  asked: ResourceKind,
  types: ObjectTypes,
  { request, warn }: Pick<Call, 'request' | 'warn'>,
  directive: FieldValidation,
  /** Receives an error about the kind, to be reported later; without it the error is thrown at once. */
  onKindError?: (kindError: KindError) => void,
): KubeObject {
  const { kind, version } = asked;
  const { json, duplicates } = readBody(request, kind, { apiVersion: apiVersionOf(asked), kind });
  if (types.requiresKind && !json['kind']) throw kindMissing(asked, request, json, directive);
  if (types.requiresKind && json['apiVersion'] === null) {
    const why = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';
    throw badRequest(`${kind} in version "" cannot be handled as a ${kind}: ${why}`);
  }
  const strict = new StrictFields(directive);
  const faults: FieldFault[] = [];
  if (directive !== 'Ignore' && isYaml(oneHeader(request, 'content-type')))
    strict.twiceInYaml(yamlDuplicates(request.body.toString()));
  else for (const path of duplicates()) faults.push({ path, is: 'twice' });
  const twice = faults.length;
  const kindError = onKindError && types.kindError?.(json);
  if (kindError) onKindError(kindError);
  const object = types.read(kindError ? { ...json, kind } : json, (path) => faults.push({ path, is: 'unknown' }));
  // For custom kinds duplicate fields are reported first: types are checked later.
  const isMixed = twice > 0 && faults.length > twice && !types.schema;
  for (const { path, is } of isMixed ? inOrderOfText(request.body.toString(), faults) : faults) strict[is](path);
  strict.settle((why) => badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`), warn);
  return object;
}

/** With field validation the error shows the body as sent, without it the parsed JSON. */
function kindMissing(
  { kind, version }: ResourceKind,
  request: ApiRequest,
  json: JsonObject,
  directive: FieldValidation,
) {
  const why = (text: string): string => `Object 'Kind' is missing in '${text}'`;
  const text = request.body.toString();
  if (directive !== 'Ignore') {
    return badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${why(text)} (${summary(request.body)})`,
    );
  }
  const read = isYaml(oneHeader(request, 'content-type')) ? goJson(json) : text;
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why(read)}`);
}
