import { describe, expect, it } from 'vitest';
import { conflict } from '../errors/refusals.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { Registry } from './registry.ts';
import { widget, widgets } from './testing/kinds.ts';
import { openRegistry } from './testing/open-registry.ts';

const at = { namespace: 'default' };

/** The maximum number of concurrent writes. */
function writesAtOnce(store: ObjectStore): { most: number } {
  const counted = { most: 0 };
  let underWay = 0;
  const write = store.write.bind(store);
  store.write = async (one) => {
    underWay += 1;
    counted.most = Math.max(counted.most, underWay);
    return write(one).finally(() => {
      underWay -= 1;
    });
  };
  return counted;
}

describe('deleting a collection', () => {
  it.each([
    ['small objects go together', 10, 32],
    ['LIMIT-3: large ones go one by one', 20_000, 1],
  ])('%s', async (_, size, most) => {
    const { registry, store } = await openRegistry(widgets);
    const made = Array.from({ length: 70 }, (_, n) => widget(`a${n}`, { spec: { color: 'x'.repeat(size) } }));
    await Promise.all(made.map((one) => registry.create(one, at)));
    const writes = writesAtOnce(store);
    expect((await registry.deleteCollection(at, {})).entries).toHaveLength(70);
    expect((await registry.list(at)).entries).toEqual([]);
    expect(writes.most).toBe(most);
  });

  it('stops at the first that is refused, and throws its error once no write is in progress', async () => {
    const { registry, store } = await openRegistry(widgets);
    await Promise.all(Array.from({ length: 70 }, (_, n) => registry.create(widget(`a${10 + n}`), at)));
    const refused = conflict({ group: '', resource: 'widgets' }, 'a20', 'not now');
    const refusing = Registry.unwatched(store, widgets, {
      admitDeletion: async (name) => {
        if (name === 'a20') throw Object.assign(refused, { code: 500 });
      },
    });
    await expect(refusing.deleteCollection(at, {})).rejects.toBe(refused);
    const left = (await registry.list(at)).entries.length;
    expect(left).toBeGreaterThan(1);
    expect(left).toBeLessThan(70);
    expect((await registry.list(at)).entries.length).toBe(left);
  });
});
