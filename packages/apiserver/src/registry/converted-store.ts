/** A view of a store that converts its objects to another version on reading, and back on writing. */

import { Pace } from '@fleet/client/pace.ts';
import type { Entry, EventBatch, ObjectStore, Outcome, StoreEvent, StoreWatch, Write } from '../store/object-store.ts';
import type { KubeObject } from './kube-object.ts';
import type { StoredKind } from './resource-kind.ts';
import { decodeObject, encodeObject } from './stored-object.ts';

type Convert = (object: KubeObject) => KubeObject;

const convert = (value: Uint8Array, by: Convert): Uint8Array => encodeObject(by(decodeObject({ value, revision: 0 })));

export function converted(store: ObjectStore, { fromStored, toStored, onThread }: StoredKind): ObjectStore {
  /** The converted form of stored values: often the same value. A store in memory returns the same values again. */
  const known = new WeakMap<Uint8Array, Uint8Array>();
  const shown = async (value: Uint8Array): Promise<Uint8Array> => {
    const found = known.get(value);
    if (found) return found;
    const isLarge = onThread && value.length > onThread.from;
    const made = isLarge ? await onThread.fromStored(value) : convert(value, fromStored);
    const isSame = Buffer.compare(made, value) === 0;
    known.set(value, isSame ? value : made);
    return isSame ? value : made;
  };
  const kept = (value: Uint8Array): Uint8Array => {
    if (toStored) return convert(value, toStored);
    // In memory of its own, as stores keep it, so that later reads return this very value.
    const own = value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value);
    known.set(own, own);
    return own;
  };
  const entry = async (one: Entry): Promise<Entry> => ({ ...one, value: await shown(one.value) });
  const event = async ({ value, previous, ...rest }: StoreEvent): Promise<StoreEvent> => ({
    ...rest,
    ...(value ? { value: await shown(value) } : {}),
    ...(previous ? { previous: await shown(previous) } : {}),
  });
  const outcome = async (one: Outcome): Promise<Outcome> =>
    one.done || !one.current ? one : { done: false, current: await entry(one.current) };
  const write = (one: Write): Write => (one.op === 'delete' ? one : { ...one, value: kept(one.value) });
  return {
    revision: () => store.revision(),
    write: async (one) => outcome(await store.write(write(one))),
    get: async (key) => {
      const { entry: found, revision } = await store.get(key);
      return { entry: found && (await entry(found)), revision };
    },
    range: async (query) => {
      const range = await store.range(query);
      return { ...range, entries: await inOrder(range.entries, entry) };
    },
    watch: (prefix, after) => convertedWatch(store.watch(prefix, after), event),
    compact: (revision) => store.compact(revision),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function inOrder<One>(all: readonly One[], change: (one: One) => Promise<One>): Promise<One[]> {
  const changed: One[] = [];
  const pace = new Pace();
  for (const one of all) {
    if (pace.isDue) await pace.rest();
    changed.push(await change(one));
  }
  return changed;
}

const convertedWatch = (watch: StoreWatch, change: (event: StoreEvent) => Promise<StoreEvent>): StoreWatch => ({
  requestProgress: () => watch.requestProgress(),
  [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
  async *[Symbol.asyncIterator](): AsyncGenerator<EventBatch> {
    for await (const { events, revision } of watch) yield { events: await inOrder(events, change), revision };
  },
});
