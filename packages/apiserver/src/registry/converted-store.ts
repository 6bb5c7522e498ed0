/** A store that shows its objects as those of another kind, and keeps what it is given as those that it has. */

import type { Entry, EventBatch, ObjectStore, Outcome, StoreEvent, StoreWatch, Write } from '../store/object-store.ts';
import type { KubeObject } from './kube-object.ts';
import type { StoredKind } from './resource-kind.ts';
import { decodeObject, encodeObject } from './stored-object.ts';

type Convert = (value: Uint8Array) => Uint8Array;

const converting =
  (convert: (object: KubeObject) => KubeObject): Convert =>
  (value) =>
    encodeObject(convert(decodeObject({ value, revision: 0 })));

export function converted(store: ObjectStore, { fromStored, toStored }: StoredKind): ObjectStore {
  const [shown, kept] = [converting(fromStored), converting(toStored)];
  const entry = (one: Entry): Entry => ({ ...one, value: shown(one.value) });
  const event = ({ value, previous, ...rest }: StoreEvent): StoreEvent => ({
    ...rest,
    ...(value ? { value: shown(value) } : {}),
    ...(previous ? { previous: shown(previous) } : {}),
  });
  const outcome = (one: Outcome): Outcome =>
    one.done || !one.current ? one : { done: false, current: entry(one.current) };
  const write = (one: Write): Write => (one.op === 'delete' ? one : { ...one, value: kept(one.value) });
  return {
    revision: () => store.revision(),
    write: async (one) => outcome(await store.write(write(one))),
    get: async (key) => {
      const { entry: found, revision } = await store.get(key);
      return { entry: found && entry(found), revision };
    },
    range: async (query) => {
      const range = await store.range(query);
      return { ...range, entries: range.entries.map(entry) };
    },
    watch: (prefix, after) => convertedWatch(store.watch(prefix, after), event),
    compact: (revision) => store.compact(revision),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

const convertedWatch = (watch: StoreWatch, convert: (event: StoreEvent) => StoreEvent): StoreWatch => ({
  requestProgress: () => watch.requestProgress(),
  [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
  async *[Symbol.asyncIterator](): AsyncGenerator<EventBatch> {
    for await (const { events, revision } of watch) yield { events: events.map(convert), revision };
  },
});
