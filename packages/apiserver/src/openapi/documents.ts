/** OpenAPI of what is served: version 3 a document for each group and version, version 2 one for all. Without prose. */

import { createHash } from 'node:crypto';
import type { JsonObject } from '@fleet/kube/json-value.ts';
import { notAcceptable } from '@fleet/kube/status.ts';
import { type ApiReply, type ApiRequest, jsonReply, oneHeader } from '../http/message.ts';
import type { ServedResources } from '../http/served-resources.ts';
import type { Resource } from '../http/verbs.ts';
import { apiVersionOf } from '../registry/resource-kind.ts';
import { builtInTypeOf } from '../schema/built-in.ts';
import type { Schema } from '../schema/open-api.ts';
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
  readonly #all = new Map<string, Buffer>();

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
    const { paths, schemas } = describe(members, '#/components/schemas/');
    const body = { openapi: '3.0.0', info: this.#info(), paths, components: { schemas: schemas.definitions } };
    const bytes = Buffer.from(JSON.stringify(body));
    const made = { bytes, hash: createHash('sha512').update(bytes).digest('hex').toUpperCase() };
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
    let body = this.#all.get(contentType);
    if (!body) {
      const { paths, schemas } = describe(this.#of, '#/definitions/');
      const { definitions } = schemas;
      body = isProtobuf
        ? version2Protobuf(this.#info(), definitions)
        : Buffer.from(JSON.stringify({ swagger: '2.0', info: this.#info(), paths, definitions }));
      this.#all.set(contentType, body);
    }
    return { status: 200, headers: { 'content-type': contentType }, body };
  }

  #info(): { title: string; version: string } {
    return { title: 'Kubernetes', version: this.#gitVersion };
  }
}

function describe(members: readonly Resource[], prefix: string): { paths: JsonObject; schemas: Schemas } {
  const schemas = new Schemas(prefix);
  const paths = members.flatMap((resource) => {
    const { printed, types } = resource;
    const apiVersion = apiVersionOf(printed);
    const nameOf = (kind: string): string =>
      builtInTypeOf(apiVersion, kind) ?? `${printed.group.split('.').reverse().join('.')}.${printed.version}.${kind}`;
    if (types.schema) addCustom(schemas, resource, types.schema, nameOf);
    return pathsOf(printed, (kind) => ({ schema: schemas.reference(nameOf(kind)) }));
  });
  return { paths: Object.fromEntries(paths), schemas };
}

const objectMeta = { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
const listMeta = { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta' };
const text = { type: 'string' } as const;

function addCustom(schemas: Schemas, { printed }: Resource, schema: Schema, nameOf: (kind: string) => string): void {
  const { group, version, kind } = printed;
  const named = (one: string) => ({ 'x-kubernetes-group-version-kind': [{ group, version, kind: one }] });
  const common = { apiVersion: text, kind: text };
  schemas.add(nameOf(kind), {
    ...schema,
    type: 'object',
    properties: { ...schema.properties, ...common, metadata: objectMeta },
    ...named(kind),
  });
  schemas.add(nameOf(`${kind}List`), {
    type: 'object',
    required: ['items'],
    properties: { ...common, metadata: listMeta, items: { type: 'array', items: { $ref: nameOf(kind) } } },
    ...named(`${kind}List`),
  });
}

/** Who asks with the hash may keep it for good. */
function cached(request: ApiRequest, { bytes, hash }: Document): ApiReply {
  const [, asked] = /[?&]hash=([^&]*)/.exec(request.url) ?? [];
  const etag = `"${hash}"`;
  const headers = {
    'content-type': 'application/json',
    etag,
    ...(asked === hash ? { 'cache-control': 'public, immutable' } : {}),
  };
  return oneHeader(request, 'if-none-match') === etag
    ? { status: 304, headers: { etag }, body: Buffer.alloc(0) }
    : { status: 200, headers, body: bytes };
}
