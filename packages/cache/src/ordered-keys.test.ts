import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OrderedKeys } from './ordered-keys.ts';
import { none } from './stored-objects.ts';

/** Records are the numbers of their keys. */
const keys = Array.from({ length: 5_000 }, (_, index) => Buffer.from(`ns-${index % 7}/name-${(index * 7919) % 5_000}`));
const order = { compareKey: (id: number, key: Uint8Array) => keys[id]!.compare(key), size: () => 1 };
const byKey = (a: number, b: number) => keys[a]!.compare(keys[b]!);

function idsOf(ordered: OrderedKeys): number[] {
  const next = ordered.walk();
  const ids: number[] = [];
  for (let id = next(); id !== none; id = next()) ids.push(id);
  return ids;
}

it('is a sorted list, however it grew and shrank', () => {
  const step = fc.record({ from: fc.nat(4_999), count: fc.integer({ min: 1, max: 900 }), isRemoval: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { minLength: 3, maxLength: 30, size: 'max' }), fc.nat(4_999), (steps, probe) => {
      const ordered = new OrderedKeys(order);
      const naive = new Set<number>();
      for (const { from, count, isRemoval } of steps) {
        for (let id = from; id < Math.min(from + count, keys.length); id++) {
          const before = isRemoval ? ordered.remove(keys[id]!) : ordered.put(id, keys[id]!);
          // Not by `expect`, which is slow for so many.
          if (before !== (naive.has(id) ? id : none)) throw new Error(`${before} was there before ${id}`);
          if (isRemoval) naive.delete(id);
          else naive.add(id);
        }
      }
      const sorted = [...naive].sort(byKey);
      expect(idsOf(ordered)).toEqual(sorted);
      expect(ordered.size).toBe(sorted.length);
      expect(ordered.storedBytes).toBe(sorted.length);
      expect(ordered.find(keys[probe]!)).toBe(naive.has(probe) ? probe : none);
      const place = ordered.lowerBound(keys[probe]!);
      const expected = sorted.filter((id) => byKey(id, probe) < 0).length;
      expect(ordered.rank(place)).toBe(expected);
      expect(ordered.at(place)).toBe(sorted[expected] ?? none);
      expect(ordered.takeLast(probe)).toEqual(sorted.toReversed().slice(0, probe));
      expect(idsOf(ordered)).toEqual(sorted.slice(0, Math.max(sorted.length - probe, 0)));
      expect(ordered.storedBytes).toBe(ordered.size);
    }),
    { numRuns: 30 },
  );
});

it('a list that comes in order fills its blocks', () => {
  const ordered = new OrderedKeys(order);
  for (const id of keys.keys().toArray().sort(byKey)) ordered.put(id, keys[id]!);
  expect(ordered.bytes).toBeLessThan(keys.length * 5);
});
