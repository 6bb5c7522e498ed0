import { describe, expect, it } from 'vitest';
import { CurrentInMemory } from '../store/memory/current-in-memory.ts';
import type { StoreEvent } from '../store/object-store.ts';
import { openLocal } from '../store/open-local.ts';
import { temporaryDirectory } from '../store/testing/temporary-directory.ts';
import { converted } from './converted-store.ts';
import type { KubeObject } from './kube-object.ts';
import { decodeObject, encodeObject } from './stored-object.ts';

const named = (name: string, fields: object = {}): KubeObject => ({
  apiVersion: 'example.com/v2',
  kind: 'Widget',
  metadata: { name },
  ...fields,
});

/** Adds a default on reading, and counts conversions. */
async function opened(isKeptAsShown: boolean) {
  const store = await CurrentInMemory.over(openLocal({ directory: temporaryDirectory(), encryptedPrefixes: [] }));
  let conversions = 0;
  const shown = converted(store, {
    group: 'example.com',
    resource: 'widgets',
    fromStored: (object) => {
      conversions += 1;
      return { ...object, apiVersion: isKeptAsShown ? 'example.com/v2' : 'example.com/v1', size: object['size'] ?? 1 };
    },
    ...(isKeptAsShown ? {} : { toStored: (object: KubeObject) => ({ ...object, apiVersion: 'example.com/v2' }) }),
  });
  return { store, shown, conversions: () => conversions };
}

describe('objects in another form than they are kept in', () => {
  it('are converted once, not for every list', async () => {
    const { store, shown, conversions } = await opened(false);
    await using _ = shown;
    for (const name of ['a', 'b', 'c']) {
      await store.write({ op: 'create', key: `/w/${name}`, value: encodeObject(named(name)) });
    }
    for (let round = 0; round < 5; round += 1) {
      const { entries } = await shown.range({ prefix: '/w/' });
      expect(entries.map((entry) => decodeObject(entry))).toMatchObject(
        ['a', 'b', 'c'].map((name) => ({ apiVersion: 'example.com/v1', metadata: { name }, size: 1 })),
      );
    }
    expect(conversions()).toBe(3);
  });

  it('that are written as they are shown are never converted, in events neither', async () => {
    const { shown, conversions } = await opened(true);
    await using _ = shown;
    await shown.write({ op: 'create', key: '/w/a', value: encodeObject(named('a', { size: 2 })) });
    await shown.write({ op: 'update', key: '/w/a', value: encodeObject(named('a', { size: 3 })), ifRevision: 2 });
    expect(decodeObject((await shown.get('/w/a')).entry!)).toMatchObject({ size: 3 });
    await using watch = shown.watch('/w/', 1);
    const events: StoreEvent[] = [];
    for await (const batch of watch) if (events.push(...batch.events) >= 2) break;
    expect(decodeObject({ value: events[1]!.previous!, revision: 2 })).toMatchObject({ size: 2 });
    expect(conversions()).toBe(0);
  });

  it('that were there before, and would be shown as they are, take no memory of their own', async () => {
    const { store, shown } = await opened(true);
    await using _ = shown;
    await store.write({ op: 'create', key: '/w/old', value: encodeObject(named('old')) });
    await store.write({ op: 'create', key: '/w/same', value: encodeObject(named('same', { size: 2 })) });
    const { entries } = await shown.range({ prefix: '/w/' });
    expect(decodeObject(entries[0]!)).toMatchObject({ metadata: { name: 'old' }, size: 1 });
    expect(entries[1]!.value).toBe((await store.get('/w/same')).entry!.value);
  });
});
