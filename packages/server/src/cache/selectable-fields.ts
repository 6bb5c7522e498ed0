/** The fields that a member's custom resource can be selected by: published in its OpenAPI, and tried before they count (CACHE-14). */

import { errorOf } from '@fleet/client/kube-client.ts';
import type { BytesReply, Upstream } from '@fleet/client/upstream.ts';
import { eachMember, isObject, skipSpace, skipValue, spanIs } from '@fleet/kube/json-bytes.ts';
import { readFieldTerms } from '@fleet/kube/selectors/field-selector.ts';

export interface CustomResource {
  group: string;
  version: string;
  kind: string;
  resource: string;
  /** Undefined: a resource without. */
  namespace: string | undefined;
}

/** As many as a definition may have. */
const mostFields = 8;
/** Those of other paths, with quotes and brackets, are left to the member. */
const plainPath = /^(?!metadata\.)[A-Za-z_][\w-]{0,62}(\.[A-Za-z_][\w-]{0,62}){0,15}$/;
const extension = 'x-kubernetes-selectable-fields';
const naming = 'x-kubernetes-group-version-kind';
/** An object that nobody has: the member reads one key, whatever there is of the resource. */
const nobody = 'fleet-selectable-fields';

/**
 * Empty where the member publishes none, or does not select by them: its OpenAPI follows a changed definition by a second or two.
 * Throws where it cannot be asked.
 */
export async function selectableFieldsOf(
  upstream: Upstream,
  resource: CustomResource,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const fields = await publishedFields(upstream, resource, signal);
  return fields.length > 0 && (await isSelectedBy(upstream, resource, fields, signal)) ? fields : [];
}

async function publishedFields(upstream: Upstream, of: CustomResource, signal: AbortSignal): Promise<string[]> {
  const reply = await get(upstream, `/openapi/v3/apis/${of.group}/${of.version}`, signal);
  if (isRefusal(reply)) {
    await reply.body.refusal();
    return [];
  }
  if (reply.status !== 200) throw errorOf(reply.status, await reply.body.refusal());
  // The schemas of a whole group: larger than any object.
  return fieldsIn(await reply.body.bytes(4 * reply.body.memory.objectLimit), of);
}

/** A member without OpenAPI, or one that does not grant it. */
const isRefusal = ({ status }: BytesReply): boolean => status >= 400 && status < 500 && status !== 429;

async function isSelectedBy(
  upstream: Upstream,
  { group, version, resource, namespace }: CustomResource,
  fields: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const within = namespace === undefined ? '' : `/namespaces/${namespace}`;
  const selector = [`metadata.name=${nobody}`, ...fields.map((field) => `${field}=`)].join();
  const query = `limit=1&fieldSelector=${encodeURIComponent(selector)}`;
  const reply = await get(upstream, `/apis/${group}/${version}${within}/${resource}?${query}`, signal);
  const isAccepted = reply.status === 200;
  if (!isAccepted && reply.status !== 400) throw errorOf(reply.status, await reply.body.refusal());
  reply.body.cancel();
  return isAccepted;
}

const get = (upstream: Upstream, path: string, signal: AbortSignal): Promise<BytesReply> =>
  upstream.call({
    method: 'GET',
    path,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'fleet-cache' },
    signal,
  });

/** Of an OpenAPI document, of which nothing but these few values is parsed. */
export function fieldsIn(document: Buffer, of: Pick<CustomResource, 'group' | 'version' | 'kind'>): string[] {
  if (!document.includes(extension)) return [];
  const schemas = memberOf(document, memberOf(document, skipSpace(document, 0), 'components'), 'schemas');
  const found: string[] = [];
  if (schemas === undefined || !isObject(document, schemas)) return found;
  eachMember(document, schemas, (_, schema) => {
    if (!isObject(document, schema)) return undefined;
    if (!isOf(parsedAt(document, schema, naming), of)) return undefined;
    found.push(...pathsIn(parsedAt(document, schema, extension)));
    return undefined;
  });
  return found.length > mostFields ? [] : found;
}

function memberOf(bytes: Buffer, at: number | undefined, name: string): number | undefined {
  let found: number | undefined;
  if (at === undefined || !isObject(bytes, at)) return found;
  eachMember(bytes, at, (key, value) => {
    if (spanIs(bytes, key, name)) found = value;
    return undefined;
  });
  return found;
}

function parsedAt(bytes: Buffer, at: number, name: string): unknown {
  const value = memberOf(bytes, at, name);
  return value === undefined ? undefined : JSON.parse(bytes.toString('utf8', value, skipValue(bytes, value)));
}

const isOf = (names: unknown, { group, version, kind }: Pick<CustomResource, 'group' | 'version' | 'kind'>): boolean =>
  Array.isArray(names) && names.some((one) => one?.group === group && one.version === version && one.kind === kind);

const pathsIn = (fields: unknown): string[] =>
  (Array.isArray(fields) ? fields : [])
    .map((field) => String(field?.fieldPath ?? ''))
    .filter((path) => plainPath.test(path));

/** Whether a selector looks at more than names and namespaces. What cannot be read, the member refuses. */
export function selectsByFields(fieldSelector: string | undefined): boolean {
  if (!fieldSelector) return false;
  try {
    return readFieldTerms(fieldSelector).some(({ field }) => !field.startsWith('metadata.'));
  } catch {
    return true;
  }
}
