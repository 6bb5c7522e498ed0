import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SortedEntries } from './sorted-entries.ts';

const bytes = (key: string): Buffer => Buffer.from(key);
const entryOf = (key: string, revision: number) => ({ key, revision, value: new Uint8Array() });

const key = fc
  .tuple(fc.constantFrom('/a/', '/a', '/b/', '/\u{ffff}', '/\u{1f600}'), fc.nat(400))
  .map((parts) => parts.join(''));
const step = fc.record({ key, op: fc.constantFrom('put', 'put', 'put', 'remove') });

describe('entries in the order of their keys', () => {
  it('are those of a map that is sorted by bytes, under any prefix, behind any key and within any limit', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 3_000, size: 'max' }),
        key,
        key,
        fc.nat(300),
        (steps, prefix, after, limit) => {
          const [ours, plain] = [new SortedEntries(), new Map<string, number>()];
          for (const [revision, { key: one, op }] of steps.entries()) {
            if (op === 'put') ours.put(entryOf(one, revision));
            else ours.remove(one);
            if (op === 'put') plain.set(one, revision);
            else plain.delete(one);
          }
          for (const under of ['', '/a/', '/\u{1f600}', prefix]) {
            for (const behind of ['', after]) {
              const expected = [...plain]
                .filter(([one]) => one.startsWith(under) && Buffer.compare(bytes(one), bytes(behind)) > 0)
                .sort(([left], [right]) => Buffer.compare(bytes(left), bytes(right)));
              const { entries, remaining } = ours.range(under, behind, limit);
              expect(entries.map((entry) => [entry.key, entry.revision])).toEqual(expected.slice(0, limit));
              expect(remaining).toBe(Math.max(0, expected.length - limit));
            }
          }
          expect(ours.get(prefix)?.revision).toBe(plain.get(prefix));
        },
      ),
      { numRuns: 60 },
    );
  });
});
