import { expect, it } from 'vitest';
import { fieldTuples, labelSets, tupleText } from './label-sets.ts';

const labels = (count: number, value = ''): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, value])));

it('CACHE-18: many small labels count by their number, not by their length alone', () => {
  const sets = labelSets();
  sets.add(labels(1));
  const one = sets.bytes;
  sets.add(labels(200));
  // Measured: 70 bytes of the heap for each, beside its text.
  expect(sets.bytes - one).toBeGreaterThan(200 * 70 + labels(200).length);
});

it('characters beyond Latin-1 take two bytes, in the text and in the value', () => {
  const [plain, wide] = [labelSets(), labelSets()];
  plain.add(labels(1, 'x'.repeat(100)));
  wide.add(labels(1, '€'.repeat(100)));
  expect(wide.bytes - plain.bytes).toBeGreaterThan(200);
});

it('released texts no longer count', () => {
  const [sets, tuples] = [labelSets(), fieldTuples()];
  const ids = [labels(3), labels(3), labels(5, '€')].map((text) => sets.add(text));
  for (const id of ids) sets.release(id);
  const tuple = tuples.add(tupleText(['a', 'b']));
  expect(tuples.bytes).toBeGreaterThan(0);
  tuples.release(tuple);
  expect([sets.bytes, sets.size, tuples.bytes]).toEqual([0, 0, 0]);
});
