/** OpenAPI of the merged views: the index is always in memory, documents are read and merged on request (DISC-2). */

import { Pace } from '@fleet/client/pace.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { unavailable } from '@fleet/kube/status.ts';
import type { Logger } from 'pino';
import type { MergedView } from '../discovery.ts';
import type { DocumentForm } from './document-form.ts';
import { DocumentStore, type StoredDocument } from './document-store.ts';
import { digestOf, hashOf, type OpenApiIndex } from './index-document.ts';
import { type Asked, type PlaceDocument, PlaceDocuments } from './place-documents.ts';
import { type Source, uniteDocuments } from './unite.ts';

/** A place with OpenAPI, in order of precedence: the control plane if it has descriptions, then the newest version. */
export interface Contributor {
  name: string;
  upstream: Upstream;
  index: OpenApiIndex;
  /** It is unreachable: its stored documents are used, and no request is sent. */
  isUnreachable: boolean;
  /** The control plane: its documents of other groups are shown only where a member has them, too. */
  owns?: ((group: string) => boolean) | undefined;
  /** With federation: all its documents are shown. */
  isShownWhole?: boolean | undefined;
}

/** Places whose index has the same hash for a document. */
interface Alike {
  hash: string;
  places: (Contributor & { order: number })[];
}

/** A document that differs from the others, and its position in the order of precedence. */
interface Found {
  place: Contributor;
  order: number;
  /** The tag, from the place or computed. */
  tag: string;
  digest: string;
  /** Reads the bytes, from the store or again from the place. */
  read: () => Promise<StoredDocument>;
}

/** A document as clients get it. */
export interface Document {
  bytes: Buffer;
  etag: string;
}

/** Limits how many documents that are not stored are in memory at once. */
const readAtOnce = 4;

/** In bytes: about four versions of Kubernetes with all their documents, or some dozens of large `/openapi/v2`. */
const storeLimit = 64 * 1024 * 1024;

/** In milliseconds. A place's `/openapi/v2` may change a moment after its index, so it is revalidated. */
const maxAge = 30_000;

export class OpenApi {
  private readonly contributors: (view: MergedView) => Promise<Contributor[]>;
  private readonly log: Logger;
  private readonly store: DocumentStore;
  private readonly places: PlaceDocuments;
  private readonly merging = new Map<string, Promise<StoredDocument>>();
  private readonly lastIndex = new Map<MergedView, { of: readonly OpenApiIndex[]; index: OpenApiIndex }>();

  constructor(contributors: (view: MergedView) => Promise<Contributor[]>, log: Logger, limit = storeLimit) {
    this.contributors = contributors;
    this.log = log;
    this.store = new DocumentStore(limit);
    this.places = new PlaceDocuments(this.store);
  }

  async index(view: MergedView): Promise<OpenApiIndex> {
    const contributors = await this.contributors(view);
    const indexes = contributors.map(({ index }) => index);
    const last = this.lastIndex.get(view);
    if (last && last.of.length === indexes.length && last.of.every((index, i) => index === indexes[i]))
      return last.index;
    const index = await unitedIndex(contributors);
    this.lastIndex.set(view, { of: indexes, index });
    return index;
  }

  /** `path`: such as `apis/apps/v1`, which the caller has found in the index. */
  async groupVersion(view: MergedView, path: string, form: DocumentForm): Promise<Document> {
    const asked = { path: `/openapi/v3/${path}`, form };
    const alike = alikeIn(await this.contributors(view), path);
    // The hash is of the JSON, so protobuf cannot be checked against it: each place is read separately.
    const groups =
      form.name === 'json'
        ? alike
        : alike.flatMap(({ hash, places }) => places.map((one) => ({ hash, places: [one] })));
    const found = await inBatches(groups, (group) => this.inGroup(group, asked));
    return this.united(asked, found.flat());
  }

  async v2(view: MergedView, form: DocumentForm): Promise<Document> {
    const asked = { path: '/openapi/v2', form };
    const contributors = await this.contributors(view);
    // Places with the same index probably have the same document: only one of them has to send it.
    const groups = [...Map.groupBy(contributors, ({ index }) => index).values()];
    const likely = new Map<OpenApiIndex, PlaceDocument>();
    const latest = (place: Contributor) =>
      this.tried(place, asked, async () => {
        const read = () => this.places.latest(place, asked, maxAge, likely.get(place.index));
        const { document, claimed } = await read();
        if (isVerified(form, document, claimed)) likely.set(place.index, { document, claimed });
        const tag = form.name === 'json' ? document.digest : claimed;
        const order = contributors.indexOf(place);
        return [{ place, order, tag, digest: document.digest, read: async () => (await read()).document }];
      });
    const first = await inBatches(
      groups.map(([one]) => one!),
      latest,
    );
    const others = await inBatches(
      groups.flatMap(([, ...more]) => more),
      latest,
    );
    return this.united(asked, [...first, ...others].flat());
  }

  /** The documents that have one hash in the indexes: one, if its bytes have that hash; else one per place. */
  private async inGroup({ hash, places }: Alike, asked: Asked): Promise<Found[]> {
    const found: Found[] = [];
    for (const place of places) {
      let isSettled = false;
      const more = await this.tried(place, asked, async () => {
        const { document, claimed } = await this.places.under(hash, place, asked);
        isSettled = isVerified(asked.form, document, hash);
        const tag = asked.form.name === 'json' ? document.digest : claimed;
        const order = isSettled ? places[0]!.order : place.order;
        const read = async () => (await this.places.under(hash, place, asked)).document;
        return [{ place, order, tag, digest: document.digest, read }];
      });
      found.push(...more);
      if (isSettled) break;
    }
    return found;
  }

  /** A place that fails does not affect the others. */
  private async tried(place: Contributor, { path }: Asked, find: () => Promise<Found[]>): Promise<Found[]> {
    try {
      return await find();
    } catch (error) {
      this.log.warn({ err: error, cluster: place.name }, `reading OpenAPI failed: ${path}`);
      return [];
    }
  }

  /** The merged documents of the reachable clusters. The tag depends on which they are, so an unreachable one changes it. */
  private async united({ path, form }: Asked, all: Found[]): Promise<Document> {
    const found = distinct(all.sort((a, b) => a.order - b.order));
    const [first, ...others] = found;
    if (!first) throw unavailable('no cluster that serves this OpenAPI document can be reached');
    if (others.length === 0) return { bytes: (await first.read()).bytes, etag: first.tag };
    // Two documents with the same tag may differ in their bytes.
    const tags = new Set<string>();
    for (const { tag, digest } of found) tags.add(tags.has(tag) ? digest : tag);
    const key = `merged ${form.name} ${path} ${hashOf(found.map(({ digest }) => digest))}`;
    const { bytes } = this.store.get(key) ?? (await this.merged(key, path, form, found));
    return { bytes, etag: hashOf([...tags]) };
  }

  /** Merged once for all requests that wait for it. */
  private merged(key: string, path: string, form: DocumentForm, found: readonly Found[]): Promise<StoredDocument> {
    const merge = async () => {
      const documents = async function* (): AsyncGenerator<Source> {
        for (const { place, read } of found) yield { name: place.name, bytes: (await read()).bytes };
      };
      const onBroken = (cluster: string, error: unknown) =>
        this.log.warn({ err: error, cluster }, `parsing OpenAPI failed: ${path}`);
      const bytes = await uniteDocuments(form, documents(), onBroken);
      if (!bytes) throw unavailable('no cluster has an OpenAPI document that can be read');
      const document = { bytes, digest: await digestOf(bytes) };
      this.store.put(key, document);
      return document;
    };
    const known = this.merging.get(key) ?? merge().finally(() => this.merging.delete(key));
    this.merging.set(key, known);
    return known;
  }
}

/** Whether the document matches its hash, which kube-apiserver computes from the bytes of the JSON. */
const isVerified = ({ name }: DocumentForm, { digest }: StoredDocument, tag: string): boolean =>
  name === 'json' && digest === tag;

/** The first of each group of equal documents. */
function distinct(all: readonly Found[]): Found[] {
  const byDigest = new Map<string, Found>();
  for (const one of all) if (!byDigest.has(one.digest)) byDigest.set(one.digest, one);
  return [...byDigest.values()];
}

async function inBatches<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let i = 0; i < all.length; i += readAtOnce) {
    done.push(...(await Promise.all(all.slice(i, i + readAtOnce).map(work))));
  }
  return done;
}

/** Grouped by path first, so that a place with many paths does not multiply the cost of the others (SEC-3). */
async function unitedIndex(contributors: readonly Contributor[]): Promise<OpenApiIndex> {
  const pace = new Pace();
  const having = new Map<string, Contributor[]>();
  const shown = new Set<string>();
  for (const contributor of contributors) {
    for (const path of contributor.index.keys()) {
      const others = having.get(path);
      if (others) others.push(contributor);
      else having.set(path, [contributor]);
      if (isShown(contributor, path)) shown.add(path);
      if (pace.isDue) await pace.rest();
    }
  }
  const index = new Map<string, string>();
  for (const path of shown) {
    index.set(path, hashOf(alikeIn(having.get(path)!, path).map(({ hash }) => hash)));
    if (pace.isDue) await pace.rest();
  }
  return index;
}

/** For its own groups, only the control plane counts, whatever members serve. */
function alikeIn(contributors: readonly Contributor[], path: string): Alike[] {
  const isOwn = ({ owns }: Contributor) => owns?.(groupOf(path)) ?? false;
  const having = contributors
    .filter(({ index }) => index.has(path))
    .sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
    .map((one, order) => ({ ...one, order }));
  return [...Map.groupBy(having, ({ index }) => index.get(path)!)].map(([hash, places]) => ({ hash, places }));
}

const groupOf = (path: string): string => /^apis\/([^/]+)/.exec(path)?.[1] ?? '';

const isShown = ({ owns, isShownWhole }: Contributor, path: string): boolean =>
  !owns || isShownWhole === true || owns(groupOf(path));
