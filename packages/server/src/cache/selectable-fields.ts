/** Reads the `selectableFields` of a custom resource from the member's OpenAPI, and tries them before they are used (CACHE-14). */

import { errorOf } from '@fleet/client/kube-client.ts';
import type { BytesReply, Upstream } from '@fleet/client/upstream.ts';
import { TooLargeError } from '@fleet/kube/growing-bytes.ts';
import { skipLong } from '@fleet/kube/item-ends.ts';
import { eachMember, isArray, isObject, type Span, skipSpace, spanIs, stop } from '@fleet/kube/json-bytes.ts';
import { readFieldTerms } from '@fleet/kube/selectors/field-selector.ts';

export interface CustomResource {
  group: string;
  version: string;
  kind: string;
  resource: string;
  /** Undefined: cluster-scoped. */
  namespace: string | undefined;
}

/** The most that a CustomResourceDefinition can have. */
const mostFields = 8;
/** Selectors on other paths, with quotes or brackets, go to the member. */
const plainPath = /^(?!metadata\.)[A-Za-z_][\w-]{0,62}(\.[A-Za-z_][\w-]{0,62}){0,15}$/;
const extension = 'x-kubernetes-selectable-fields';
const naming = 'x-kubernetes-group-version-kind';
/** The name of no object: the member looks up one key instead of reading all objects. */
const absentName = 'fleet-selectable-fields';

/**
 * Empty if the member publishes none, or does not accept them yet or any more: its OpenAPI lags a second or two behind the definition.
 * Throws if the member does not answer.
 */
export async function selectableFieldsOf(
  upstream: Upstream,
  resource: CustomResource,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const fields = await publishedFields(upstream, resource, signal);
  return fields.length > 0 && (await acceptsSelectors(upstream, resource, fields, signal)) ? fields : [];
}

async function publishedFields(upstream: Upstream, of: CustomResource, signal: AbortSignal): Promise<string[]> {
  const reply = await get(upstream, `/openapi/v3/apis/${of.group}/${of.version}`, signal);
  if (isRefusal(reply)) {
    await reply.body.refusal();
    return [];
  }
  if (reply.status !== 200) throw errorOf(reply.status, await reply.body.refusal());
  try {
    return fieldsIn(await reply.body.bytes(), of);
  } catch (error) {
    // Not retried: the document would be as long again.
    if (error instanceof TooLargeError) return [];
    throw error;
  }
}

/** A member without OpenAPI, or one that does not grant it. */
const isRefusal = ({ status }: BytesReply): boolean => status >= 400 && status < 500 && status !== 429;

async function acceptsSelectors(
  upstream: Upstream,
  { group, version, resource, namespace }: CustomResource,
  fields: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const within = namespace === undefined ? '' : `/namespaces/${namespace}`;
  const selector = [`metadata.name=${absentName}`, ...fields.map((field) => `${field}=`)].join();
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

/**
 * Finds the fields in an OpenAPI document, and parses only these few values of it. Returns none of a document with more schemas than
 * any group has: reading it would hold the event loop (LIMIT-3).
 */
export function fieldsIn(document: Buffer, of: Pick<CustomResource, 'group' | 'version' | 'kind'>): string[] {
  if (!document.includes(extension)) return [];
  const found = new Schemas(document).fieldsOf(of);
  return found && found.length <= mostFields ? found : [];
}

/** JSON members that are visited: of the document, of its schemas, and of each schema. */
const mostMembers = 20_000;
/** In bytes. */
const mostParsed = 1024 * 1024;

class Schemas {
  private readonly document: Buffer;
  private members = 0;
  private parsedBytes = 0;

  constructor(document: Buffer) {
    this.document = document;
  }

  /** Undefined if a limit is exceeded. */
  fieldsOf(of: Pick<CustomResource, 'group' | 'version' | 'kind'>): string[] | undefined {
    const { document } = this;
    const found: string[] = [];
    const schemas = this.memberOf(this.memberOf(skipSpace(document, 0), 'components'), 'schemas');
    this.each(schemas, (_, schema) => {
      let [names, fields]: (number | undefined)[] = [];
      this.each(schema, (key, value) => {
        if (spanIs(document, key, naming)) names = value;
        else if (spanIs(document, key, extension)) fields = value;
      });
      if (!isOf(this.parsed(names), of)) return;
      for (const path of pathsIn(this.parsed(fields))) found.push(path);
    });
    return this.isTooMuch ? undefined : found;
  }

  private get isTooMuch(): boolean {
    return this.members > mostMembers || this.parsedBytes > mostParsed;
  }

  private each(at: number | undefined, visit: (key: Span, value: number) => void): void {
    const { document } = this;
    if (at === undefined || !isObject(document, at)) return;
    eachMember(document, at, (key, value) => {
      this.members++;
      if (!this.isTooMuch) visit(key, value);
      if (this.isTooMuch) return stop;
      return isObject(document, value) || isArray(document, value) ? skipLong(document, value) : undefined;
    });
  }

  private memberOf(at: number | undefined, name: string): number | undefined {
    let found: number | undefined;
    this.each(at, (key, value) => {
      if (spanIs(this.document, key, name)) found = value;
    });
    return found;
  }

  /** Undefined unless it is an array, as both values that are read are. */
  private parsed(at: number | undefined): unknown {
    if (at === undefined || !isArray(this.document, at)) return undefined;
    const end = skipLong(this.document, at);
    this.parsedBytes += end - at;
    return this.isTooMuch ? undefined : JSON.parse(this.document.toString('utf8', at, end));
  }
}

const isOf = (names: unknown, { group, version, kind }: Pick<CustomResource, 'group' | 'version' | 'kind'>): boolean =>
  Array.isArray(names) && names.some((one) => one?.group === group && one.version === version && one.kind === kind);

const pathsIn = (fields: unknown): string[] =>
  (Array.isArray(fields) ? fields : [])
    .map((field) => String(field?.fieldPath ?? ''))
    .filter((path) => plainPath.test(path));

/** Whether a selector uses more than name and namespace. An invalid one counts as such: the member rejects it. */
export function selectsByFields(fieldSelector: string | undefined): boolean {
  if (!fieldSelector) return false;
  try {
    return readFieldTerms(fieldSelector).some(({ field }) => !field.startsWith('metadata.'));
  } catch {
    return true;
  }
}
