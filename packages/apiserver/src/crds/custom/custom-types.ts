/** Parses objects of a custom kind: metadata as Go does, the rest by the schema of their version. */

import { isObject, type JsonObject, type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import { kindType, type MessageType } from '@fleet/kube/protobuf/schema.ts';
import { badRequest } from '@fleet/kube/status.ts';
import { invalidValue } from '../../errors/field-error.ts';
import { invalid } from '../../errors/refusals.ts';
import { decodeAsGo } from '../../go-json/decode.ts';
import { GoFault, jsonWord } from '../../go-json/go-fault.ts';
import type { ObjectTypes } from '../../http/object-types.ts';
import { FieldSet } from '../../patch/fields/field-set.ts';
import { byName } from '../../patch/fields/path-element.ts';
import { customKind } from '../../patch/managers/managed-kind.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { TooLargeHere } from '../../registry/resource-context.ts';
import { withDefaults, withoutIdleNulls } from '../../schema/custom/default.ts';
import { pruneObject } from '../../schema/custom/prune.ts';
import { propertyOf, type Schema } from '../../schema/open-api.ts';
import { isHeavierThan } from '../../schema/size.ts';
import { type Definition, hasSchemaOnThread, longestSchema, type Version } from '../definition.ts';

const objectMeta = kindType('v1', 'ConfigMap')!.fields.find(({ jsonName }) => jsonName === 'metadata')!
  .type as MessageType;

export const apiVersionOf = ({ spec }: Definition, { name }: Pick<Version, 'name'>): string => `${spec.group}/${name}`;

export const customTypes = (definition: Definition, version: Version): ObjectTypes =>
  hasSchemaOnThread(definition) ? typesOnThread(definition, version) : typesHere(definition, version);

/** All writes are handled on a worker thread. */
function typesOnThread(definition: Definition, version: Version): ObjectTypes {
  const expected = { apiVersion: apiVersionOf(definition, version), kind: definition.spec.names.kind };
  const notHere = (): never => {
    throw new TooLargeHere();
  };
  return {
    ...{ read: notHere, readApplied: notHere, managed: notHere },
    patchType: undefined,
    isLong: true,
    requiresKind: true,
    kindError: (json) => kindError(json, expected),
    kept: (object) => object,
    schema: 'on-thread',
  };
}

function typesHere(definition: Definition, version: Version): ObjectTypes {
  const { names, versions } = definition.spec;
  const apiVersion = apiVersionOf(definition, version);
  const schema = schemaOf(definition, version);
  const schemas = new Map(versions.map((one) => [apiVersionOf(definition, one), schemaOf(definition, one)]));
  return {
    read: (json, unknown) => readCustom(json, { apiVersion, kind: names.kind, schema }, unknown),
    readApplied: (json) => readMade(json, { apiVersion, kind: names.kind, schema }),
    managed: (subresource) =>
      customKind(apiVersion, names.kind, (given) => schemas.get(given), {
        subresource,
        resetFields: resetFields(definition, version, subresource),
      }),
    patchType: undefined,
    isLong: isHeavierThan(schema, longestSchema),
    requiresKind: true,
    kindError: (json) => kindError(json, { apiVersion, kind: names.kind }),
    kept: (object) => object,
    schema,
  };
}

export const schemaOf = ({ spec }: Definition, { schema }: Version): Schema => {
  const found = schema?.openAPIV3Schema ?? {};
  return spec.preserveUnknownFields ? { ...found, 'x-kubernetes-preserve-unknown-fields': true } : found;
};

const statusFields = FieldSet.of([byName('status')]);
const otherFields = FieldSet.of([byName('metadata')], [byName('spec')]);

/**
 * Fields that a request to the other half of an object cannot set are not owned by its field manager. For requests to the object
 * itself, kube-apiserver does this for its own version only: a PUT without a status takes it from its owner in another version.
 */
const resetFields =
  (definition: Definition, version: Version, subresource: string) =>
  (apiVersion: string): FieldSet | undefined => {
    const versions = subresource === 'status' ? definition.spec.versions : [version];
    const asked = versions.find((one) => apiVersionOf(definition, one) === apiVersion);
    if (!asked?.subresources?.status) return undefined;
    return subresource === 'status' ? otherFields : statusFields;
  };

interface ExpectedType {
  apiVersion: string;
  kind: string;
  schema: Schema;
}

function readCustom(json: JsonObject, expected: ExpectedType, unknown?: (path: string) => void): KubeObject {
  refuseOther(json, expected);
  // First, as errors in metadata are reported first.
  const metadata = readMetadata(json['metadata'] ?? {}, expected, unknown);
  const pruned = pruneObject(json, expected.schema);
  for (const path of pruned.unknown) unknown?.(path);
  pruneEmbedded(pruned.value, expected.schema, '', unknown);
  const decoded = withoutIdleNulls(pruned.value, expected.schema) as JsonObject;
  return made({ ...decoded, metadata }, metadata, expected);
}

/** With metadata as Go reads it. */
const readMade = (json: JsonObject, expected: ExpectedType): KubeObject =>
  made(json, readMetadata(json['metadata'] ?? {}, expected), expected);

/** With defaults. */
function made(json: JsonObject, metadata: JsonObject, expected: ExpectedType): KubeObject {
  const completed = withDefaults(json, expected.schema) as JsonObject;
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = completed;
  return { apiVersion: expected.apiVersion, kind: expected.kind, metadata, ...rest } as unknown as KubeObject;
}

/** The object's kind and apiVersion must be those of the request. */
function refuseOther(json: JsonObject, { apiVersion, kind, schema: _ }: ExpectedType): void {
  if (!json['kind']) {
    // For a patch; for an object this was checked before.
    const why = `Object 'Kind' is missing in '${jsonText(json)}'`;
    throw badRequest(why, { cause: new GoFault(why) });
  }
  if (json['apiVersion'] !== apiVersion) {
    const given = String(json['apiVersion'] ?? '');
    throw badRequest(`the API version in the data (${given}) does not match the expected API version (${apiVersion})`);
  }
  const kindErrorOf = kindError(json, { apiVersion, kind });
  if (kindErrorOf) throw kindErrorOf(isObject(json['metadata']) ? String(json['metadata']['name'] ?? '') : '');
}

function kindError(json: JsonObject, { apiVersion, kind }: Pick<ExpectedType, 'apiVersion' | 'kind'>) {
  if (json['kind'] === kind) return undefined;
  const given = String(json['kind']);
  const group = apiVersion.split('/')[0]!;
  return (name: string) => invalid({ group, kind: given }, name, [invalidValue('kind', given, `must be ${kind}`)]);
}

/** Metadata of embedded objects has the usual fields. What Go could not read is left for validation to refuse. */
function pruneEmbedded(value: JsonValue, schema: Schema, path: string, unknown?: (path: string) => void): void {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      if (schema.items) pruneEmbedded(one, schema.items, `${path}[${index}]`, unknown);
    }
  }
  if (!isObject(value)) return;
  const metadata = schema['x-kubernetes-embedded-resource'] ? value['metadata'] : undefined;
  if (isObject(metadata)) {
    for (const name of decodeAsGo(objectMeta, metadata).unknown) {
      delete metadata[name];
      unknown?.(`${path}.metadata.${name}`);
    }
  }
  for (const [name, one] of Object.entries(value)) {
    const below = propertyOf(schema, name) ?? schema.additionalProperties;
    if (typeof below === 'object') pruneEmbedded(one, below, path ? `${path}.${name}` : name, unknown);
  }
}

function readMetadata(
  metadata: JsonValue,
  { kind, apiVersion }: ExpectedType,
  unknown?: (path: string) => void,
): JsonObject {
  const version = apiVersion.split('/')[1];
  const refuse = (why: string, cause?: unknown) =>
    badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${why}`, { cause });
  if (!isObject(metadata)) {
    const why = `json: cannot unmarshal ${jsonWord(metadata)} into Go value of type v1.ObjectMeta`;
    throw refuse(why, new GoFault(why));
  }
  try {
    const decoded = decodeAsGo(objectMeta, metadata);
    for (const path of decoded.unknown) unknown?.(`metadata.${path}`);
    return decoded.object;
  } catch (fault) {
    if (!(fault instanceof GoFault)) throw fault;
    throw refuse(fault.message, fault);
  }
}
