/** OpenAPI of what is served: version 3 a document for each group and version, version 2 one for all. Without prose. */

import { createHash } from 'node:crypto';
import type { JsonObject } from '@fleet/kube/json-value.ts';
import { notAcceptable } from '@fleet/kube/status.ts';
import { type ApiReply, type ApiRequest, jsonReply, oneHeader } from '../http/message.ts';
import type { ServedResources } from '../http/served-resources.ts';
import type { Resource } from '../http/verbs.ts';
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

/** Kept until what is served changes. */
export class OpenApi {
  readonly #resources: ServedResources;
  readonly #gitVersion: string;
  #of: readonly Resource[] = [];
  #documents = new Map<string, Document>();
  /** Version 2, by its content type. */
  readonly #all = new Map<string, Document>();

  constructor(resources: ServedResources, gitVersion: string) {
    this.#resources = resources;
    this.#gitVersion = gitVersion;
  }

  /** Undefined for a path that is none of its own. */
  answer(request: ApiRequest, segments: readonly string[]): ApiReply | undefined {
    const [root, version, ...path] = segments;
    if (root !== 'openapi') return undefined;
    this.#refresh();
    if (version === 'v2' && path.length === 0) return this.#version2(request);
    if (version !== 'v3') return undefined;
    if (path.length === 0) return jsonReply(200, { paths: this.#index() });
    const found = this.#document(path.join('/'));
    return found && cached(request, found);
  }

  #refresh(): void {
    if (this.#of === this.#resources.all) return;
    this.#of = this.#resources.all;
    this.#documents = new Map();
    this.#all.clear();
  }

  #index(): JsonObject {
    const roots = [...new Set(this.#of.map(rootOf))].sort();
    return Object.fromEntries(
      roots.map((root) => [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${this.#document(root)!.hash}` }]),
    );
  }

  #document(root: string): Document | undefined {
    const known = this.#documents.get(root);
    if (known) return known;
    const members = this.#of.filter((resource) => rootOf(resource) === root);
    if (members.length === 0) return undefined;
    const { paths, schemas } = describe(members, 3);
    const body = { openapi: '3.0.0', info: this.#info(), paths, components: { schemas: schemas.definitions } };
    const made = documentOf(Buffer.from(JSON.stringify(body)));
    this.#documents.set(root, made);
    return made;
  }

  /** As JSON, or in the form of its own that kubectl asks for. */
  #version2(request: ApiRequest): ApiReply {
    const accept = oneHeader(request, 'accept') ?? '*/*';
    // The older spelling is asked for, too; in an answer it would be no media type.
    const isProtobuf = /application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/.test(accept);
    if (!isProtobuf && !/application\/json|\*\/\*/.test(accept)) throw notAcceptable(['application/json']);
    const contentType = isProtobuf ? protobufType : 'application/json';
    let made = this.#all.get(contentType);
    if (!made) {
      const { paths, schemas } = describe(this.#of, 2);
      const { definitions } = schemas;
      made = documentOf(
        isProtobuf
          ? version2Protobuf(this.#info(), definitions)
          : Buffer.from(JSON.stringify({ swagger: '2.0', info: this.#info(), paths, definitions })),
      );
      this.#all.set(contentType, made);
    }
    return cached(request, made, contentType);
  }

  #info(): { title: string; version: string } {
    return { title: 'Kubernetes', version: this.#gitVersion };
  }
}

const documentOf = (bytes: Buffer): Document => ({
  bytes,
  hash: createHash('sha512').update(bytes).digest('hex').toUpperCase(),
});

function describe(members: readonly Resource[], version: OpenApiVersion): { paths: JsonObject; schemas: Schemas } {
  const schemas = new Schemas(version);
  const paths = members.flatMap((resource) => {
    const { printed, types } = resource;
    const apiVersion = apiVersionOf(printed);
    const nameOf = (kind: string): string =>
      builtInTypeOf(apiVersion, kind) ?? `${printed.group.split('.').reverse().join('.')}.${printed.version}.${kind}`;
    if (types.schema) addCustom(schemas, printed, publishedObject(types.schema, version), nameOf);
    return pathsOf(printed, (kind) => ({ schema: schemas.reference(nameOf(kind)) }));
  });
  return { paths: Object.fromEntries(paths), schemas };
}

function addCustom(schemas: Schemas, printed: PrintedKind, schema: Schema, nameOf: (kind: string) => string): void {
  const { group, version, kind, listKind = `${kind}List`, strategy } = printed;
  const fields = Object.keys(strategy.selectableFields ?? {}).map((fieldPath) => ({ fieldPath }));
  const named = (one: string) => ({
    'x-kubernetes-group-version-kind': [{ group, version, kind: one }],
    ...(fields.length > 0 ? { 'x-kubernetes-selectable-fields': fields } : {}),
  });
  schemas.add(nameOf(kind), { ...schema, ...named(kind) });
  schemas.add(nameOf(listKind), { ...publishedList(printed, nameOf(kind)), ...named(listKind) });
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
