/** A store that encrypts some of its values: whoever reads the disk sees their keys, not the values (CP-6). */

import type { Entry, EventBatch, ObjectStore, Outcome, StoreEvent, StoreWatch, Write } from '../object-store.ts';
import type { Keys } from './key-file.ts';
import { seal, unseal } from './sealed-value.ts';

export function encrypted(store: ObjectStore, keys: Keys, prefixes: readonly string[]): ObjectStore {
  const isSecret = (key: string): boolean => prefixes.some((prefix) => key.startsWith(prefix));

  const sealWrite = (write: Write): Write =>
    write.op === 'delete' || !isSecret(write.key) ? write : { ...write, value: seal(keys, write.key, write.value) };

  const openEntry = (entry: Entry): Entry => {
    if (!isSecret(entry.key)) return entry;
    const { value, stale } = unseal(keys, entry.key, entry.value);
    return { ...entry, value, ...(stale ? { stale } : {}) };
  };

  const openEvent = (event: StoreEvent): StoreEvent => {
    if (!isSecret(event.key)) return event;
    const { value, previous } = event;
    return {
      ...event,
      ...(value ? { value: unseal(keys, event.key, value).value } : {}),
      ...(previous ? { previous: unseal(keys, event.key, previous).value } : {}),
    };
  };

  const openOutcome = (outcome: Outcome): Outcome =>
    outcome.done || !outcome.current ? outcome : { done: false, current: openEntry(outcome.current) };

  return {
    revision: () => store.revision(),
    write: async (write) => openOutcome(await store.write(sealWrite(write))),
    get: async (key) => {
      const { entry, revision } = await store.get(key);
      return { entry: entry && openEntry(entry), revision };
    },
    range: async (query) => {
      const range = await store.range(query);
      return { ...range, entries: range.entries.map(openEntry) };
    },
    watch: (prefix, after) => openedWatch(store.watch(prefix, after), openEvent),
    compact: (revision) => store.compact(revision),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

const openedWatch = (watch: StoreWatch, open: (event: StoreEvent) => StoreEvent): StoreWatch => ({
  requestProgress: () => watch.requestProgress(),
  [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
  async *[Symbol.asyncIterator](): AsyncGenerator<EventBatch> {
    for await (const { events, revision } of watch) yield { events: events.map(open), revision };
  },
});
