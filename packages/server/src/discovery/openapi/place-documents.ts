/** The OpenAPI documents of each place. A place's tag counts for that place only; documents are shared by our own digest (SEC-2). */

import type { Upstream } from '@fleet/client/upstream.ts';
import type { DocumentForm } from './document-form.ts';
import type { DocumentStore, StoredDocument } from './document-store.ts';
import { fetchDocument } from './fetch-document.ts';

/** What is asked for: one path in one form. */
export interface Asked {
  path: string;
  form: DocumentForm;
}

export interface Place {
  upstream: Upstream;
  /** It did not answer lately: what is held of it counts, and nobody waits for more. */
  away: boolean;
}

/** What was read of a place. */
interface Reading {
  /** The place's tag for it. */
  claimed: string;
  digest: string;
  at: number;
}

/** A document, and the tag of the place that it was read from. */
export interface PlaceDocument {
  document: StoredDocument;
  claimed: string;
}

export class PlaceDocuments {
  private readonly store: DocumentStore;
  /** By connection: a place that is gone, or another one under its name, leaves nothing behind. */
  private readonly readings = new WeakMap<Upstream, Map<string, Reading>>();
  private readonly underWay = new WeakMap<Upstream, Map<string, Promise<PlaceDocument>>>();

  constructor(store: DocumentStore) {
    this.store = store;
  }

  /** The document that the place's index has under this hash; as it is now, if that has changed. */
  async under(hash: string, place: Place, asked: Asked): Promise<PlaceDocument> {
    const held = this.held(place, asked);
    if (held?.claimed === hash) return held;
    // Of JSON the hash is that of the bytes: what we have read has it, wherever it came from.
    const same = asked.form.name === 'json' && this.store.get(keyOf(asked, hash));
    if (same) return { document: same, claimed: hash };
    return this.fetch(place, asked, undefined);
  }

  /** As it is now, or was `maxAge` ago. `likely`: a document that the place may have, too, and then does not send. */
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

  /** Once, however many wait for it. */
  private fetch({ upstream, away }: Place, asked: Asked, known: PlaceDocument | undefined): Promise<PlaceDocument> {
    if (away) return Promise.reject(new Error('the cluster is unreachable'));
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
    // The one that is held, if it is the same.
    const document = this.store.get(keyOf(asked, digest)) ?? read.document;
    this.store.put(keyOf(asked, digest), document);
    const ofPlace = this.readings.get(upstream) ?? new Map<string, Reading>();
    this.readings.set(upstream, ofPlace.set(whatOf(asked), { claimed: read.claimed, digest, at: Date.now() }));
    return { document, claimed: read.claimed };
  }
}

const whatOf = ({ path, form }: Asked): string => `${form.name} ${path}`;
const keyOf = (asked: Asked, digest: string): string => `${whatOf(asked)} ${digest}`;
