/** Serves OpenAPI: version 3 as one document per group and version, version 2 as one for all. Without descriptions. */

import { createHash } from 'node:crypto';
import { Pace } from '@fleet/client/pace.ts';
import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import { notAcceptable } from '@fleet/kube/status.ts';
import { type ApiReply, type ApiRequest, jsonReply, oneHeader } from '../http/message.ts';
import type { ServedResources } from '../http/served-resources.ts';
import type { Resource } from '../http/verb.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import { apiVersionOf } from '../registry/resource-kind.ts';
import { builtInTypeOf } from '../schema/built-in.ts';
import { metadataType, publishedList } from './custom-schema.ts';
import { pathsOf } from './paths.ts';
import { type DocumentForm, naming, publishedKind } from './published-kind.ts';
import { Schemas } from './schemas.ts';
import { version2Protobuf } from './version-2-protobuf.ts';

const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

interface Document {
  bytes: Buffer;
  /** Of its bytes: a document requested with it never changes. */
  hash: string;
}

const rootOf = ({ printed: { group, version } }: Resource): string =>
  group ? `apis/${group}/${version}` : `api/${version}`;

/** Encodes a kind with a long schema on a worker thread; undefined if the kind is gone. */
type EncodeOnThread = (kind: PrintedKind, form: DocumentForm) => Promise<Buffer | undefined>;

/** In bytes per hashing step. */
const hashedAtOnce = 512 * 1024;

/** Cached until its inputs change. Built in slices, between which the event loop runs (LIMIT-3). */
export class OpenApi {
  readonly #resources: ServedResources;
  readonly #gitVersion: string;
  readonly #encodeOnThread: EncodeOnThread;
  /** Version 3, by group and version. */
  readonly #documents = new Map<string, Kept>();
  /** Version 2, by its content type. */
  readonly #all = new Map<string, Kept>();

  constructor(resources: ServedResources, gitVersion: string, encodeOnThread: EncodeOnThread) {
    this.#resources = resources;
    this.#gitVersion = gitVersion;
    this.#encodeOnThread = encodeOnThread;
  }

  /** Undefined if the path is not one of OpenAPI. */
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
      // The group may have been removed meanwhile.
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
    keepUnlessItFails(this.#documents, root, { of, document });
    return document;
  }

  async #describe(members: readonly Resource[]): Promise<Document> {
    const pace = new Pace();
    const { paths, schemas } = await this.#parts(members, { version: 3, isProtobuf: false }, pace);
    const head = { openapi: '3.0.0', info: this.#info(), paths };
    return documentOf(await written(head, ['components', 'schemas'], schemas.definitions, pace), pace);
  }

  /** As JSON, or in the protobuf form that kubectl requests. */
  async #version2(request: ApiRequest): Promise<ApiReply> {
    const accept = oneHeader(request, 'accept') ?? '*/*';
    // Clients also send the older spelling, which is not a valid media type for a response.
    const isProtobuf = /application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/.test(accept);
    if (!isProtobuf && !/application\/json|\*\/\*/.test(accept)) throw notAcceptable(['application/json']);
    const contentType = isProtobuf ? protobufType : 'application/json';
    const of = this.#resources.all;
    let known = this.#all.get(contentType);
    if (known?.of !== of) {
      known = { of, document: this.#describeAll(of, isProtobuf) };
      keepUnlessItFails(this.#all, contentType, known);
    }
    return cached(request, await known.document, contentType);
  }

  async #describeAll(members: readonly Resource[], isProtobuf: boolean): Promise<Document> {
    const pace = new Pace();
    const { paths, schemas } = await this.#parts(members, { version: 2, isProtobuf }, pace);
    const head = { swagger: '2.0', info: this.#info(), paths };
    const bytes = isProtobuf
      ? await version2Protobuf(this.#info(), schemas.definitions, pace)
      : await written(head, ['definitions'], schemas.definitions, pace);
    return documentOf(bytes, pace);
  }

  async #parts(
    members: readonly Resource[],
    form: DocumentForm,
    pace: Pace,
  ): Promise<{ paths: JsonObject; schemas: Schemas }> {
    const schemas = new Schemas(form.version);
    const paths: [string, JsonValue][] = [];
    for (const { printed, types } of members) {
      if (pace.isDue) await pace.rest();
      const nameOf = (kind: string): string => builtInTypeOf(apiVersionOf(printed), kind) ?? customName(printed, kind);
      if (types.schema === 'on-thread') {
        const bytes = await this.#encodeOnThread(printed, form);
        if (!bytes) continue;
        schemas.addWritten(nameOf(printed.kind), bytes);
        schemas.addBuiltIn(metadataType);
      } else if (types.schema)
        await schemas.add(nameOf(printed.kind), await publishedKind(printed, types.schema, form.version, pace), pace);
      if (types.schema) await addList(schemas, printed, nameOf, pace);
      paths.push(...pathsOf(printed, (kind) => ({ schema: schemas.reference(nameOf(kind)) })));
    }
    return { paths: Object.fromEntries(paths), schemas };
  }

  #info(): { title: string; version: string } {
    return { title: 'Kubernetes', version: this.#gitVersion };
  }
}

interface Kept {
  of: readonly Resource[];
  document: Promise<Document>;
}

/** A failed document is built again for the next request. */
function keepUnlessItFails(kept: Map<string, Kept>, key: string, made: Kept): void {
  kept.set(key, made);
  made.document.catch(() => kept.get(key) === made && kept.delete(key));
}

const isSame = (left: readonly Resource[], right: readonly Resource[]): boolean =>
  left.length === right.length && left.every((one, index) => one === right[index]);

async function documentOf(bytes: Buffer, pace: Pace): Promise<Document> {
  const hash = createHash('sha512');
  for (let at = 0; at < bytes.length; at += hashedAtOnce) {
    await pace.rest();
    hash.update(bytes.subarray(at, at + hashedAtOnce));
  }
  return { bytes, hash: hash.digest('hex').toUpperCase() };
}

/** The head with the definitions inserted at a path. */
async function written(
  head: object,
  at: readonly string[],
  definitions: Schemas['definitions'],
  pace: Pace,
): Promise<Buffer> {
  await pace.rest();
  const pieces: Buffer[] = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"${at.join('":{"')}":{`)];
  let separator = '';
  for (const [name, definition] of definitions) {
    if (pace.isDue) await pace.rest();
    pieces.push(Buffer.from(`${separator}${JSON.stringify(name)}:`));
    pieces.push(Buffer.isBuffer(definition) ? definition : Buffer.from(JSON.stringify(definition)));
    separator = ',';
  }
  pieces.push(Buffer.from(`${'}'.repeat(at.length)}}`));
  await pace.rest();
  return Buffer.concat(pieces);
}

const customName = ({ group, version }: PrintedKind, kind: string): string =>
  `${group.split('.').reverse().join('.')}.${version}.${kind}`;

async function addList(schemas: Schemas, printed: PrintedKind, nameOf: (kind: string) => string, pace: Pace) {
  const { kind, listKind = `${kind}List` } = printed;
  const list = { ...publishedList(printed, nameOf(kind)), ...naming(printed, listKind) };
  await schemas.add(nameOf(listKind), list, pace);
}

/** A document requested by its hash may be cached forever. */
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
