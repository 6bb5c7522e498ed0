/** One change of one object, as every watcher of its resource shares it: read once, and written once in each form. */

import { type Entry, type StoreEvent, valueBytes } from '../store/object-store.ts';

/** What selectors look at. */
export interface Selectable {
  key: string;
  labels: Readonly<Record<string, string>>;
  /** Its name and namespace, as fields. */
  names: Readonly<Record<string, string>>;
  fields: Readonly<Record<string, string>>;
}

/** An object as it is shown. */
export interface Shown extends Selectable {
  /** JSON, with its version. */
  bytes: Uint8Array;
  /** Reads what selectors look at, in slices if need be: they are not to do so themselves where it is much. */
  look(hasFields: boolean): Promise<void>;
}

/** Reads what the store keeps, as of a revision. */
export type Read = (key: string, value: Uint8Array, revision: number) => Shown;

export type Selects = (object: Selectable) => boolean;

/** How far the selectors of a watcher look into objects. */
export type Looking = 0 | 1 | 2;
export const looksAtNothing: Looking = 0;
export const looksAtLabels: Looking = 1;
export const looksAtFields: Looking = 2;

/** In bytes: up to here it takes no time. */
const small = 32 * 1024;

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** What one watcher is told. */
export interface Told {
  type: EventType | 'BOOKMARK';
  revision: number;
  /** Bytes of the object. */
  size: number;
  /** Ends the state that a watch began with. */
  endsInitialEvents?: true;
  /** The event in a form, such as a line of JSON: made by the first who asks, for all who may share it. */
  in(form: Form): Uint8Array;
  /** The same for a form that is written elsewhere. */
  later(name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array>;
}

/** A way to write events. */
export interface Form {
  /** Two of the same name write the same, so it is kept. Undefined: what it writes is for one watcher alone. */
  name: string | undefined;
  event(type: EventType, object: Uint8Array): Uint8Array;
  bookmark(revision: number, endsInitialEvents: boolean): Uint8Array;
}

export class SharedEvent {
  readonly revision: number;
  readonly size: number;
  readonly #read: Read;
  readonly #event: StoreEvent;
  readonly #told = new Map<EventType, Told>();
  #looked: Looking = looksAtNothing;
  #now: Shown | undefined;
  #before: Shown | undefined;

  constructor(event: StoreEvent, read: Read) {
    this.revision = event.revision;
    this.size = valueBytes(event);
    this.#event = event;
    this.#read = read;
  }

  /** Of what is there at the beginning of a watch. */
  static ofEntry({ key, value, revision }: Entry, read: Read): SharedEvent {
    return new SharedEvent({ key, value, revision }, read);
  }

  /** What was made of it for watchers is made anew for those who come later: of a large one it would be much to keep. */
  forget(): void {
    this.#told.clear();
    this.#now = undefined;
    this.#before = undefined;
    this.#looked = looksAtNothing;
  }

  get isLarge(): boolean {
    return this.size > small;
  }

  /** Selectors would take long: it is to be looked at before. */
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
      // What cannot be read ends those who are to be told of it, once they are.
    }
  }

  /** What this is for a watcher that sees only what it selects: an object may come into its sight or leave it. */
  for(selects: Selects): Told | undefined {
    const now = this.#shownNow();
    const before = this.#shownBefore();
    const isSeen = now !== undefined && selects(now);
    const wasSeen = before !== undefined && selects(before);
    if (isSeen) return this.#as(wasSeen ? 'MODIFIED' : 'ADDED', now);
    // As it was last, at the revision at which it went.
    return wasSeen ? this.#as('DELETED', before) : undefined;
  }

  #as(type: EventType, object: Shown): Told {
    let told = this.#told.get(type);
    if (!told) {
      told = new ToldObject(type, this.revision, object.bytes);
      this.#told.set(type, told);
    }
    return told;
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

class ToldObject implements Told {
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
      // Who asks next may have more luck.
      coming.catch(() => this.#coming.delete(name));
    }
    return coming;
  }
}

export const bookmark = (revision: number, endsInitialEvents = false): Told => ({
  type: 'BOOKMARK',
  revision,
  size: 0,
  ...(endsInitialEvents ? { endsInitialEvents: true as const } : {}),
  in: (form) => form.bookmark(revision, endsInitialEvents),
  later: (_, make) => make(),
});
