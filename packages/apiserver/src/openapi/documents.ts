/** OpenAPI of what is served: version 3 a document for each group and version, version 2 one for all. Without prose. */

import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import { notAcceptable } from '@fleet/kube/status.ts';
import { type ApiReply, type ApiRequest, jsonReply, oneHeader } from '../http/message.ts';
import type { ServedResources } from '../http/served-resources.ts';
import type { Resource } from '../http/verbs.ts';
import { Pace } from '../registry/pace.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import { apiVersionOf } from '../registry/resource-kind.ts';
import { builtInTypeOf } from '../schema/built-in.ts';
import type { Schema } from '../schema/open-api.ts';
import { type OpenApiVersion, publishedList, publishedObject } from './custom-schema.ts';
import { pathsOf } from './paths.ts';
import { Schemas } from './schemas.ts';
import { version2Protobuf } from './version-2-protobuf.ts';

const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

interface Document {
  bytes: Buffer;
  /** Of its bytes: what is asked for with it never changes. */
  hash: string;
}

const rootOf = ({ printed: { group, version } }: Resource): string =>
  group ? `apis/${group}/${version}` : `api/${version}`;

/** Kept until what it is made of changes. Made in slices, between which the event loop turns (LIMIT-3). */
export class OpenApi {
  readonly #resources: ServedResources;
  readonly #gitVersion: string;
  /** Version 3, by group and version. */
  readonly #documents = new Map<string, { of: readonly Resource[]; document: Promise<Document> }>();
  /** Version 2, by its content type. */
  readonly #all = new Map<string, { of: readonly Resource[]; document: Promise<Document> }>();

  constructor(resources: ServedResources, gitVersion: string) {
    this.#resources = resources;
    this.#gitVersion = gitVersion;
  }

  /** Undefined for a path that is none of its own. */
  async answer(request: ApiRequest, segments: readonly string[]): Promise<ApiReply | undefined> {
    const [root, version, ...path] = segments;
    if (root !== 'openapi') return undefined;
    if (version === 'v2' && path.length === 0) return this.#version2(request);
    if (version !== 'v3') return undefined;
    if (path.length === 0) return jsonReply(200, { paths: await this.#index() });
    const found = await this.#document(path.join('/'));
    return found && cached(request, found);
  }

  async #index(): Promise<JsonObject> {
    const index: JsonObject = {};
    for (const root of [...new Set(this.#resources.all.map(rootOf))].sort()) {
      const document = await this.#document(root);
      // It may have gone meanwhile.
      if (document) index[root] = { serverRelativeURL: `/openapi/v3/${root}?hash=${document.hash}` };
    }
    return index;
  }

  #document(root: string): Promise<Document> | undefined {
    const of = this.#resources.all.filter((resource) => rootOf(resource) === root);
    const known = this.#documents.get(root);
    if (known && isSame(known.of, of)) return known.document;
    this.#documents.delete(root);
    if (of.length === 0) return undefined;
    const document = this.#describe(of);
    this.#documents.set(root, { of, document });
    return document;
  }

  async #describe(members: readonly Resource[]): Promise<Document> {
    const pace = new Pace();
    const { paths, schemas } = await describe(members, 3, pace);
    const head = { openapi: '3.0.0', info: this.#info(), paths };
    return documentOf(await written(head, ['components', 'schemas'], schemas.definitions, pace), pace);
  }

  /** As JSON, or in the form of its own that kubectl asks for. */
  async #version2(request: ApiRequest): Promise<ApiReply> {
    const accept = oneHeader(request, 'accept') ?? '*/*';
    // The older spelling is asked for, too; in an answer it would be no media type.
    const isProtobuf = /application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/.test(accept);
    if (!isProtobuf && !/application\/json|\*\/\*/.test(accept)) throw notAcceptable(['application/json']);
    const contentType = isProtobuf ? protobufType : 'application/json';
    const of = this.#resources.all;
    let known = this.#all.get(contentType);
    if (known?.of !== of) {
      known = { of, document: this.#describeAll(of, isProtobuf) };
      this.#all.set(contentType, known);
    }
    return cached(request, await known.document, contentType);
  }

  async #describeAll(members: readonly Resource[], isProtobuf: boolean): Promise<Document> {
    const pace = new Pace();
    const { paths, schemas } = await describe(members, 2, pace);
    const head = { swagger: '2.0', info: this.#info(), paths };
    const bytes = isProtobuf
      ? await version2Protobuf(this.#info(), schemas.definitions, pace)
      : await written(head, ['definitions'], schemas.definitions, pace);
    return documentOf(bytes, pace);
  }

  #info(): { title: string; version: string } {
    return { title: 'Kubernetes', version: this.#gitVersion };
  }
}

const isSame = (left: readonly Resource[], right: readonly Resource[]): boolean =>
  left.length === right.length && left.every((one, index) => one === right[index]);

async function documentOf(bytes: Buffer, pace: Pace): Promise<Document> {
  await pace.rest();
  return { bytes, hash: createHash('sha512').update(bytes).digest('hex').toUpperCase() };
}

/** The head with the definitions at a path in it. */
async function written(head: object, at: readonly string[], definitions: JsonObject, pace: Pace): Promise<Buffer> {
  await pace.rest();
  const pieces: Buffer[] = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"${at.join('":{"')}":{`)];
  let separator = '';
  for (const [name, definition] of Object.entries(definitions)) {
    if (pace.isDue) await pace.rest();
    pieces.push(Buffer.from(`${separator}${JSON.stringify(name)}:${JSON.stringify(definition)}`));
    separator = ',';
  }
  pieces.push(Buffer.from(`${'}'.repeat(at.length)}}`));
  await pace.rest();
  return Buffer.concat(pieces);
}

async function describe(
  members: readonly Resource[],
  version: OpenApiVersion,
  pace: Pace,
): Promise<{ paths: JsonObject; schemas: Schemas }> {
  const schemas = new Schemas(version);
  const paths: [string, JsonValue][] = [];
  for (const { printed, types } of members) {
    if (pace.isDue) await pace.rest();
    const apiVersion = apiVersionOf(printed);
    const nameOf = (kind: string): string =>
      builtInTypeOf(apiVersion, kind) ?? `${printed.group.split('.').reverse().join('.')}.${printed.version}.${kind}`;
    if (types.schema)
      await addCustom(schemas, printed, await publishedObject(types.schema, version, pace), nameOf, pace);
    paths.push(...pathsOf(printed, (kind) => ({ schema: schemas.reference(nameOf(kind)) })));
  }
  return { paths: Object.fromEntries(paths), schemas };
}

async function addCustom(
  schemas: Schemas,
  printed: PrintedKind,
  schema: Schema,
  nameOf: (kind: string) => string,
  pace: Pace,
): Promise<void> {
  const { group, version, kind, listKind = `${kind}List`, strategy } = printed;
  const fields = Object.keys(strategy.selectableFields ?? {}).map((fieldPath) => ({ fieldPath }));
  const named = (one: string) => ({
    'x-kubernetes-group-version-kind': [{ group, version, kind: one }],
    ...(fields.length > 0 ? { 'x-kubernetes-selectable-fields': fields } : {}),
  });
  await schemas.add(nameOf(kind), { ...schema, ...named(kind) }, pace);
  await schemas.add(nameOf(listKind), { ...publishedList(printed, nameOf(kind)), ...named(listKind) }, pace);
}

/** Who asks with the hash may keep it for good. */
function cached(request: ApiRequest, { bytes, hash }: Document, contentType = 'application/json'): ApiReply {
  const [, asked] = /[?&]hash=([^&]*)/.exec(request.url) ?? [];
  const etag = `"${hash}"`;
  const headers = {
    'content-type': contentType,
    etag,
    ...(asked === hash ? { 'cache-control': 'public, immutable' } : {}),
  };
  return oneHeader(request, 'if-none-match') === etag
    ? { status: 304, headers: { etag }, body: Buffer.alloc(0) }
    : { status: 200, headers, body: bytes };
}
