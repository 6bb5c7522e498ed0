/** OpenAPI of the merged views: an index always at hand, documents read and merged when they are asked for (DISC-2). */

import type { Upstream } from '@fleet/client/upstream.ts';
import { unavailable } from '@fleet/kube/status.ts';
import type { Logger } from 'pino';
import type { MergedView } from '../discovery.ts';
import type { DocumentForm } from './document-form.ts';
import { DocumentStore, type StoredDocument } from './document-store.ts';
import { fetchDocument } from './fetch-document.ts';
import { digest, hashOf, type OpenApiIndex } from './index-document.ts';
import { type Source, uniteDocuments } from './unite.ts';

/** A place that has OpenAPI, in order of precedence: the control plane if it explains anything, then the newest version. */
export interface Contributor {
  name: string;
  upstream: Upstream;
  index: OpenApiIndex;
  /** It did not answer lately: what is held of it counts, and nobody waits for more. */
  away: boolean;
  /** The control plane's: of its documents, those of other groups are shown only where a member has them, too. */
  shows?: ((group: string) => boolean) | undefined;
}

/** Places that have the same document: any of them can be asked for it. */
interface Wanted {
  hash: string;
  places: Contributor[];
}

type ReadOne = (wanted: Wanted) => Promise<StoredDocument>;

/** Bounds what is held at a time of documents that the store does not keep. */
const readAtOnce = 4;

/** About four versions of Kubernetes with all of their documents, or some dozens of large `/openapi/v2`. */
const storeLimit = 64 * 1024 * 1024;

/** A place's `/openapi/v2` may follow its index by a moment, so it is asked again whether it is still that. */
const maxAge = 30_000;

export class OpenApi {
  private readonly contributors: (view: MergedView) => Promise<Contributor[]>;
  private readonly log: Logger;
  private readonly store: DocumentStore;
  private readonly underWay = new Map<string, Promise<StoredDocument>>();
  private readonly checkedAt = new Map<string, number>();
  private readonly lastIndex = new Map<MergedView, { of: readonly OpenApiIndex[]; index: OpenApiIndex }>();

  constructor(contributors: (view: MergedView) => Promise<Contributor[]>, log: Logger, limit = storeLimit) {
    this.contributors = contributors;
    this.log = log;
    this.store = new DocumentStore(limit);
  }

  async index(view: MergedView): Promise<OpenApiIndex> {
    const contributors = await this.contributors(view);
    const indexes = contributors.map(({ index }) => index);
    const last = this.lastIndex.get(view);
    if (last && last.of.length === indexes.length && last.of.every((index, i) => index === indexes[i]))
      return last.index;
    const shown = new Set(contributors.flatMap(({ index, shows }) => [...index.keys()].filter(isShown(shows))));
    const hashes = [...shown].map((path) => wantedOf(contributors, path).map(({ hash }) => hash));
    const index = new Map([...shown].map((path, i) => [path, hashOf(hashes[i]!)]));
    this.lastIndex.set(view, { of: indexes, index });
    return index;
  }

  /** `apis/apps/v1`; the caller has looked into the index. */
  async groupVersion(view: MergedView, path: string, form: DocumentForm): Promise<StoredDocument> {
    const wanted = wantedOf(await this.contributors(view), path);
    const what = `v3 ${form.name} ${path}`;
    return this.united(what, form, wanted, async ({ hash, places }) =>
      this.once(`${what} ${hash}`, async () => {
        const document = await anyOf(places, (upstream) => fetchDocument(upstream, `/openapi/v3/${path}`, form));
        // It may have changed since the index was read: then it is held as what it is.
        return { document, key: `${what} ${document.etag}` };
      }),
    );
  }

  async v2(view: MergedView, form: DocumentForm): Promise<StoredDocument> {
    const contributors = await this.contributors(view);
    // Places whose indexes are the same have the same schemas, in version 2 as well.
    const alike = Map.groupBy(contributors, ({ index }) => index);
    const wanted = [...alike].map(([index, places]) => ({ hash: digest([...index.values()].join()), places }));
    return this.united(`v2 ${form.name}`, form, wanted, ({ hash, places }) => this.v2Of(form, hash, places));
  }

  private async v2Of(form: DocumentForm, hash: string, places: readonly Contributor[]): Promise<StoredDocument> {
    const key = `v2 ${form.name} ${hash}`;
    const known = this.store.get(key);
    if (known && Date.now() - (this.checkedAt.get(key) ?? 0) < maxAge) return known;
    return this.inFlight(key, async () => {
      const document = await anyOf(places, (upstream) => fetchDocument(upstream, '/openapi/v2', form, known)).catch(
        (error: unknown) => {
          if (known) return known;
          throw error;
        },
      );
      this.store.put(key, document);
      for (const old of this.checkedAt.keys()) if (!this.store.has(old)) this.checkedAt.delete(old);
      this.checkedAt.set(key, Date.now());
      return document;
    });
  }

  /** The documents that can be had, as one. The tag tells which they were: one that is away is not silently in it. */
  private async united(
    what: string,
    form: DocumentForm,
    wanted: readonly Wanted[],
    readOne: ReadOne,
  ): Promise<StoredDocument> {
    const found = new Map<string, Wanted>();
    for (let i = 0; i < wanted.length; i += readAtOnce) {
      const some = wanted.slice(i, i + readAtOnce);
      const read = await Promise.all(some.map((one) => this.tagOf(what, one, readOne)));
      for (const [j, tag] of read.entries()) if (tag !== undefined && !found.has(tag)) found.set(tag, some[j]!);
    }
    if (found.size === 0) throw unavailable('no cluster that serves this OpenAPI document can be reached');
    const [first] = found.values();
    if (first && found.size === 1) return readOne(first);
    const etag = hashOf([...found.keys()]);
    const key = `merged ${what} ${etag}`;
    return this.once(key, async () => {
      const documents = async function* (): AsyncGenerator<Source> {
        for (const one of found.values()) yield { name: one.places[0]!.name, bytes: (await readOne(one)).bytes };
      };
      const onBroken = (cluster: string, error: unknown) =>
        this.log.warn({ err: error, cluster }, `OpenAPI cannot be read: ${what}`);
      const bytes = await uniteDocuments(form, documents(), onBroken);
      if (!bytes) throw unavailable('no cluster has an OpenAPI document that can be read');
      return { key, document: { bytes, etag } };
    });
  }

  private async tagOf(what: string, wanted: Wanted, readOne: ReadOne): Promise<string | undefined> {
    try {
      return (await readOne(wanted)).etag;
    } catch (error) {
      const clusters = wanted.places.map(({ name }) => name);
      this.log.warn({ err: error, clusters }, `OpenAPI is not to be had: ${what}`);
      return undefined;
    }
  }

  /** From the store, or made once however many wait for it. */
  private async once(
    key: string,
    make: () => Promise<{ key: string; document: StoredDocument }>,
  ): Promise<StoredDocument> {
    const known = this.store.get(key);
    if (known) return known;
    return this.inFlight(key, async () => {
      const made = await make();
      this.store.put(made.key, made.document);
      return made.document;
    });
  }

  private inFlight(key: string, make: () => Promise<StoredDocument>): Promise<StoredDocument> {
    const known = this.underWay.get(key);
    if (known) return known;
    const making = make().finally(() => this.underWay.delete(key));
    this.underWay.set(key, making);
    return making;
  }
}

async function anyOf<T>(places: readonly Contributor[], ask: (upstream: Upstream) => Promise<T>): Promise<T> {
  let failure: unknown = new Error('it is away');
  for (const { upstream, away } of places) {
    if (away) continue;
    try {
      return await ask(upstream);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** The control plane's own groups are its own, wherever else it stands. */
function wantedOf(contributors: readonly Contributor[], path: string): Wanted[] {
  const isOwn = ({ shows }: Contributor) => shows !== undefined && isShown(shows)(path);
  const having = contributors
    .filter(({ index }) => index.has(path))
    .sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  return [...Map.groupBy(having, ({ index }) => index.get(path)!)].map(([hash, places]) => ({ hash, places }));
}

const isShown = (shows: Contributor['shows']) => (path: string) =>
  !shows || shows(/^apis\/([^/]+)/.exec(path)?.[1] ?? '');
