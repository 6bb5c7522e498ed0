/** Adds KubeSphere's Cluster to the control plane's discovery and OpenAPI, so that clients see one server. */

import { bodyOf } from '@fleet/client/reply-body.ts';
import type { BytesReply, Headers, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import type { GroupDiscoveryList } from '@fleet/kube/discovery.ts';
import { aggregatedDiscoveryAccept } from '@fleet/kube/discovery.ts';
import { digest } from '../discovery/openapi/index-document.ts';
import { uniteDocuments } from '../discovery/openapi/unite.ts';
import { openApiV2, openApiV3 } from '../discovery/openapi/versions.ts';
import { faceApiVersion, faceGroup } from './kubesphere-cluster.ts';

const name = `apis/${faceApiVersion}`;
const document = `/openapi/v3/${name}`;

/** Merges two documents; undefined: the control plane's stays as it is. */
type Unite = (theirs: Buffer, ours: Buffer, contentType: string) => Promise<Buffer | undefined>;

/** In bytes: for `/openapi/v2` of a server with many kinds. */
const longest = 64 * 1024 * 1024;

const united: Readonly<Record<string, Unite>> = {
  '/apis': async (theirs, ours, contentType) =>
    contentType.includes('as=APIGroupDiscoveryList') ? withGroup(theirs, ours) : inOrder(theirs, contentType),
  [`/apis/${faceApiVersion}`]: async (theirs, ours) => withResources(theirs, ours),
  '/openapi/v2': (theirs, ours, contentType) => withDocument(openApiV2.forms, theirs, ours, contentType),
  // Only in JSON: kubectl requests no other form, and the face serves no other.
  [document]: (theirs, ours, contentType) => withDocument([openApiV3.forms[0]], theirs, ours, contentType),
};

export class Described implements Upstream {
  readonly #controlPlane: Upstream;
  readonly #face: Upstream;
  /** The hash of the merged document, by the hash of the control plane's. */
  #known: { theirs: string; both: string } | undefined;

  constructor(controlPlane: Upstream, face: Upstream) {
    this.#controlPlane = controlPlane;
    this.#face = face;
  }

  call(call: UpstreamCall): Promise<BytesReply> {
    const [path = ''] = call.path.split('?', 1);
    if (call.method !== 'GET') return this.#controlPlane.call(call);
    if (path === '/openapi/v3') return this.#index(call);
    if (path === document) return this.#document(call);
    const unite = united[path];
    return unite ? this.#both(call, path, unite) : this.#controlPlane.call(call);
  }

  upgrade: Upstream['upgrade'] = (call) => this.#controlPlane.upgrade(call);

  async [Symbol.asyncDispose](): Promise<void> {}

  async #both(call: UpstreamCall, path: string, unite: Unite): Promise<BytesReply> {
    const ours = await this.#ours(call, path);
    const held = etagsOf(call.headers['if-none-match']).flatMap((tag) => theirsIn(tag, ours.tag) ?? []);
    const theirs = await this.#controlPlane.call({ ...call, headers: askedOnly(call.headers, held) });
    const etag = bothIn(etagsOf(theirs.headers['etag'])[0], ours.tag);
    if (theirs.status === 304) return { ...theirs, headers: { ...theirs.headers, ...tagged(etag) } };
    if (theirs.status !== 200) return theirs;
    const bytes = await theirs.body.bytes(longest);
    const whole = await unite(bytes, ours.bytes, String(theirs.headers['content-type'] ?? ''));
    return replyOf(theirs.headers, whole ?? bytes, tagged(etag));
  }

  /** The hash is of the bytes, as in kube-apiserver: so it is known from the index. */
  async #document(call: UpstreamCall): Promise<BytesReply> {
    const headers = askedOnly(call.headers, []);
    const theirs = await this.#controlPlane.call({ ...call, path: document, headers });
    if (theirs.status !== 200) return theirs;
    const [bytes, ours] = [await theirs.body.bytes(longest), await this.#ours(call, document)];
    const whole = (await united[document]!(bytes, ours.bytes, String(theirs.headers['content-type']))) ?? bytes;
    const hash = digest(whole);
    const isAsked = new URLSearchParams(call.path.split('?')[1]).get('hash') === hash;
    const lasting = { etag: `"${hash}"`, ...(isAsked ? { 'cache-control': 'public, immutable' } : {}) };
    if (etagsOf(call.headers['if-none-match']).includes(lasting.etag))
      return { status: 304, headers: lasting, body: bodyOf(Buffer.alloc(0)) };
    return replyOf(theirs.headers, whole, lasting);
  }

  async #index(call: UpstreamCall): Promise<BytesReply> {
    return this.#both(call, '/openapi/v3', async (theirs) => {
      const index = read<Index>(theirs);
      const hash = index.paths[name]?.serverRelativeURL.split('hash=')[1];
      if (hash === undefined) return undefined;
      if (this.#known?.theirs !== hash) {
        const headers = { ...call.headers, accept: 'application/json', 'if-none-match': undefined };
        const { status, body, headers: answered } = await this.#document({ ...call, headers });
        body.cancel();
        if (status !== 200) return undefined;
        this.#known = { theirs: hash, both: String(answered['etag']).replaceAll('"', '') };
      }
      index.paths[name] = { serverRelativeURL: `${document}?hash=${this.#known.both}` };
      return written(index);
    });
  }

  async #ours({ headers: { accept }, signal }: UpstreamCall, path: string): Promise<{ bytes: Buffer; tag: string }> {
    const asked = path === '/apis' ? aggregatedDiscoveryAccept : isProtobufV2(path, accept) ? accept : '*/*';
    const reply = await this.#face.call({ method: 'GET', path, headers: { accept: asked }, signal });
    const bytes = await reply.body.bytes(longest);
    return { bytes, tag: digest(bytes).slice(0, tagLength) };
  }
}

/** Reads the control plane's document. `held`: tags that the client has of it. */
const askedOnly = (headers: Headers, held: readonly string[]): Headers => ({
  ...headers,
  'accept-encoding': 'identity',
  'if-none-match': held.length > 0 ? held.join(',') : undefined,
});

function replyOf({ 'content-length': _, etag: __, ...headers }: Headers, bytes: Buffer, more: Headers): BytesReply {
  return { status: 200, headers: { ...headers, ...more }, body: bodyOf(bytes) };
}

const isProtobufV2 = (path: string, accept: Headers[string]): boolean =>
  path === '/openapi/v2' && String(accept ?? '').includes('protobuf');

/** A tag is made of both tags, so the control plane's can be recovered from it. */
const tagLength = 16;
const bothIn = (theirs: string | undefined, ours: string): string | undefined =>
  theirs === undefined ? undefined : `"${theirs.replaceAll('"', '')}-${ours}"`;
const theirsIn = (tag: string, ours: string): string | undefined =>
  tag.endsWith(`-${ours}"`) ? `${tag.slice(0, -ours.length - 2)}"` : undefined;
const etagsOf = (header: Headers[string]): string[] =>
  [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .filter(Boolean);
const tagged = (etag: string | undefined): Headers => (etag === undefined ? {} : { etag });

const read = <T>(bytes: Buffer): T => JSON.parse(bytes.toString()) as T;
const written = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

/** The group exists already: it has Agents. */
function withGroup(theirs: Buffer, ours: Buffer): Buffer {
  const list = read<GroupDiscoveryList>(theirs);
  const [group] = read<GroupDiscoveryList>(ours).items;
  const [added] = group?.versions ?? [];
  const known = list.items.find(({ metadata }) => metadata.name === faceGroup);
  const version = known?.versions?.find((one) => one.version === added?.version);
  if (!added || !group) return theirs;
  if (version) version.resources = [...(added.resources ?? []), ...without(version.resources, 'resource')];
  else if (known) known.versions = [...(known.versions ?? []), added];
  return written({ ...list, items: last(list.items, known ?? group) });
}

/** Of two groups with a kind of the same name kubectl uses the first: `clusters` are Karmada's (CLU-1). */
const last = <One>(all: readonly One[], one: One): One[] => [...all.filter((other) => other !== one), one];

/** The older form, which lists no kinds. */
function inOrder(theirs: Buffer, contentType: string): Buffer | undefined {
  if (!contentType.startsWith('application/json')) return undefined;
  const list = read<{ groups: { name: string }[] }>(theirs);
  const known = list.groups.find(({ name }) => name === faceGroup);
  return known && written({ ...list, groups: last(list.groups, known) });
}

/** The kind in a control plane where KubeSphere itself runs is not reachable: the product answers (KS-1). */
const without = <Field extends string, One extends Record<Field, string>>(
  resources: readonly One[] | undefined,
  field: Field,
): One[] => (resources ?? []).filter((one) => one[field].split('/')[0] !== 'clusters');

interface ResourceList {
  resources: { name: string }[];
}

function withResources(theirs: Buffer, ours: Buffer): Buffer {
  const list = read<ResourceList>(theirs);
  const { resources } = read<ResourceList>(ours);
  return written({ ...list, resources: [...resources, ...without(list.resources, 'name')] });
}

interface Index {
  paths: Record<string, { serverRelativeURL: string }>;
}

async function withDocument(
  forms: typeof openApiV2.forms,
  theirs: Buffer,
  ours: Buffer,
  contentType: string,
): Promise<Buffer | undefined> {
  const form = forms.find(({ mediaTypes }) => mediaTypes.includes(contentType.split(';')[0]!.trim()));
  if (!form) return undefined;
  async function* both() {
    yield { name: 'control plane', bytes: theirs };
    yield { name: 'face', bytes: ours };
  }
  return uniteDocuments(form, both(), (_name, error) => {
    throw error;
  });
}
