/** A change of an object, shared by all watchers of its resource: decoded once, and encoded once in each form. */

import { type Entry, type StoreEvent, valueBytes } from '../store/object-store.ts';

/** The values that selectors read. */
export interface Selectable {
  key: string;
  labels: Readonly<Record<string, string>>;
  /** Its name and namespace, as fields. */
  names: Readonly<Record<string, string>>;
  fields: Readonly<Record<string, string>>;
}

/** An object in its external form. */
export interface Shown extends Selectable {
  /** JSON, with its resourceVersion. */
  bytes: Uint8Array;
  /** Reads the values that selectors need, in slices if there are many: selectors must not do so themselves then. */
  look(hasFields: boolean): Promise<void>;
}

/** Decodes a stored value at a revision. */
export type Read = (key: string, value: Uint8Array, revision: number) => Shown;

export type Selects = (object: Selectable) => boolean;

/** How much of an object a watcher's selectors read. */
export type Looking = 0 | 1 | 2;
export const looksAtNothing: Looking = 0;
export const looksAtLabels: Looking = 1;
export const looksAtFields: Looking = 2;

/** In bytes: smaller objects are read immediately. */
const small = 32 * 1024;

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** What one watcher is sent. */
export interface WatchEvent {
  type: EventType | 'BOOKMARK';
  revision: number;
  /** Bytes of the object. */
  size: number;
  /** Marks the end of the initial events. */
  endsInitialEvents?: true;
  /** The event in a form, such as a line of JSON: encoded on first use, and shared by all watchers. */
  in(form: Form): Uint8Array;
  /** The same for a form that is encoded on a worker thread. */
  later(name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array>;
}

/** An encoding of events. */
export interface Form {
  /** Forms of the same name give the same bytes, which are cached. Undefined if the bytes are for one watcher only. */
  name: string | undefined;
  event(type: EventType, object: Uint8Array): Uint8Array;
  bookmark(revision: number, endsInitialEvents: boolean): Uint8Array;
}

export class SharedEvent {
  readonly revision: number;
  readonly size: number;
  readonly #read: Read;
  readonly #event: StoreEvent;
  readonly #events = new Map<EventType, WatchEvent>();
  #looked: Looking = looksAtNothing;
  #now: Shown | undefined;
  #before: Shown | undefined;

  constructor(event: StoreEvent, read: Read) {
    this.revision = event.revision;
    this.size = valueBytes(event);
    this.#event = event;
    this.#read = read;
  }

  /** For an initial event of a watch. */
  static ofEntry({ key, value, revision }: Entry, read: Read): SharedEvent {
    return new SharedEvent({ key, value, revision }, read);
  }

  /** Drops the encoded forms of a large event, which are too large to keep: later watchers encode it again. */
  forget(): void {
    this.#events.clear();
    this.#now = undefined;
    this.#before = undefined;
    this.#looked = looksAtNothing;
  }

  get isLarge(): boolean {
    return this.size > small;
  }

  /** The values for selectors have to be read first, as that would take long. */
  isLongFor(by: Looking): boolean {
    return this.isLarge && this.#looked < by;
  }

  async look(by: Looking): Promise<void> {
    this.#looked = by;
    try {
      for (const shown of [this.#shownNow(), this.#shownBefore()]) {
        await shown?.look(by === looksAtFields);
      }
    } catch {
      // An unreadable object ends the watchers that would be sent it.
    }
  }

  /** The event for a watcher with a selector: an object that starts to match is added, one that no longer matches is deleted. */
  for(selects: Selects): WatchEvent | undefined {
    const now = this.#shownNow();
    const before = this.#shownBefore();
    const isSeen = now !== undefined && selects(now);
    const wasSeen = before !== undefined && selects(before);
    if (isSeen) return this.#as(wasSeen ? 'MODIFIED' : 'ADDED', now);
    // Its last state, at the revision of the deletion.
    return wasSeen ? this.#as('DELETED', before) : undefined;
  }

  #as(type: EventType, object: Shown): WatchEvent {
    let event = this.#events.get(type);
    if (!event) {
      event = new ObjectEvent(type, this.revision, object.bytes);
      this.#events.set(type, event);
    }
    return event;
  }

  #shownNow(): Shown | undefined {
    const { key, value } = this.#event;
    if (value) this.#now ??= this.#read(key, value, this.revision);
    return this.#now;
  }

  #shownBefore(): Shown | undefined {
    const { key, previous } = this.#event;
    if (previous) this.#before ??= this.#read(key, previous, this.revision);
    return this.#before;
  }
}

class ObjectEvent implements WatchEvent {
  readonly type: EventType;
  readonly revision: number;
  readonly size: number;
  readonly #bytes: Uint8Array;
  readonly #forms = new Map<string, Uint8Array>();
  readonly #coming = new Map<string, Promise<Uint8Array>>();

  constructor(type: EventType, revision: number, bytes: Uint8Array) {
    this.type = type;
    this.revision = revision;
    this.size = bytes.length;
    this.#bytes = bytes;
  }

  in(form: Form): Uint8Array {
    if (form.name === undefined) return form.event(this.type, this.#bytes);
    let written = this.#forms.get(form.name);
    if (!written) {
      written = form.event(this.type, this.#bytes);
      this.#forms.set(form.name, written);
    }
    return written;
  }

  later(name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    let coming = this.#coming.get(name);
    if (!coming) {
      coming = make();
      this.#coming.set(name, coming);
      // A later attempt may succeed.
      coming.catch(() => this.#coming.delete(name));
    }
    return coming;
  }
}

export const bookmark = (revision: number, endsInitialEvents = false): WatchEvent => ({
  type: 'BOOKMARK',
  revision,
  size: 0,
  ...(endsInitialEvents ? { endsInitialEvents: true as const } : {}),
  in: (form) => form.bookmark(revision, endsInitialEvents),
  later: (_, make) => make(),
});
