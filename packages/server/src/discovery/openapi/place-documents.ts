/** Reads the OpenAPI documents of each place. A tag is valid for one place; equal documents have the same digest (SEC-2). */

import type { Upstream } from '@fleet/client/upstream.ts';
import type { DocumentForm } from './document-form.ts';
import type { DocumentStore, StoredDocument } from './document-store.ts';
import { fetchDocument } from './fetch-document.ts';

/** A requested document: one path in one form. */
export interface Asked {
  path: string;
  form: DocumentForm;
}

export interface Place {
  upstream: Upstream;
  /** It is unreachable: its stored documents are used, and no request is sent. */
  isUnreachable: boolean;
}

/** The last document that was read of a place. */
interface Reading {
  /** The place's own tag of it. */
  claimed: string;
  digest: string;
  at: number;
}

/** A document, and the tag that the place gave it. */
export interface PlaceDocument {
  document: StoredDocument;
  claimed: string;
}

export class PlaceDocuments {
  private readonly store: DocumentStore;
  /** By connection: a place that was removed, or recreated under its name, leaves nothing behind. */
  private readonly readings = new WeakMap<Upstream, Map<string, Reading>>();
  private readonly underWay = new WeakMap<Upstream, Map<string, Promise<PlaceDocument>>>();

  constructor(store: DocumentStore) {
    this.store = store;
  }

  /** The document with this hash in the place's index; the current one if that has changed. */
  async under(hash: string, place: Place, asked: Asked): Promise<PlaceDocument> {
    const held = this.held(place, asked);
    if (held?.claimed === hash) return held;
    // The hash is of the JSON's bytes: a stored document with that hash is the same, whichever place sent it.
    const same = asked.form.name === 'json' && this.store.get(keyOf(asked, hash));
    if (same) return { document: same, claimed: hash };
    return this.fetch(place, asked, undefined);
  }

  /** The document, at most `maxAge` old. `likely`: a document that the place may have as well, and then does not send. */
  async latest(place: Place, asked: Asked, maxAge: number, likely?: PlaceDocument): Promise<PlaceDocument> {
    const held = this.held(place, asked);
    if (held && Date.now() - held.at < maxAge) return held;
    try {
      return await this.fetch(place, asked, held ?? likely);
    } catch (error) {
      if (held) return held;
      throw error;
    }
  }

  private held({ upstream }: Place, asked: Asked): (PlaceDocument & Reading) | undefined {
    const reading = this.readings.get(upstream)?.get(whatOf(asked));
    const document = reading && this.store.get(keyOf(asked, reading.digest));
    return document && { ...reading, document };
  }

  /** Read once for all requests that wait for it. */
  private fetch(
    { upstream, isUnreachable }: Place,
    asked: Asked,
    known: PlaceDocument | undefined,
  ): Promise<PlaceDocument> {
    if (isUnreachable) return Promise.reject(new Error('the cluster is unreachable'));
    const what = whatOf(asked);
    const underWay = this.underWay.get(upstream) ?? new Map<string, Promise<PlaceDocument>>();
    this.underWay.set(upstream, underWay);
    const last = underWay.get(what);
    if (last) return last;
    const reading = this.read(upstream, asked, known).finally(() => underWay.delete(what));
    underWay.set(what, reading);
    return reading;
  }

  private async read(upstream: Upstream, asked: Asked, known: PlaceDocument | undefined): Promise<PlaceDocument> {
    const read = await fetchDocument(upstream, asked.path, asked.form, known);
    const { digest } = read.document;
    // The stored document, if it is the same.
    const document = this.store.get(keyOf(asked, digest)) ?? read.document;
    this.store.put(keyOf(asked, digest), document);
    const ofPlace = this.readings.get(upstream) ?? new Map<string, Reading>();
    this.readings.set(upstream, ofPlace.set(whatOf(asked), { claimed: read.claimed, digest, at: Date.now() }));
    return { document, claimed: read.claimed };
  }
}

const whatOf = ({ path, form }: Asked): string => `${form.name} ${path}`;
const keyOf = (asked: Asked, digest: string): string => `${whatOf(asked)} ${digest}`;
