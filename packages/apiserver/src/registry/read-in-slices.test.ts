import { expect, it } from 'vitest';
import { readInSlices } from './read-in-slices.ts';

const objectOf = (count: number) => ({
  kind: 'A',
  metadata: { name: 'x', labels: { __proto__x: 'é"' }, managedFields: [{ fieldsV1: record(count) }] },
  data: record(count),
  list: [1, null, 'x'],
});
const record = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, {}]));

it('LIMIT-3: what is read field by field is the same', async () => {
  for (const count of [1, 5_000]) {
    expect(await readInSlices(Buffer.from(JSON.stringify(objectOf(count))))).toEqual(objectOf(count));
  }
});

it('LIMIT-3: the event loop turns meanwhile', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  await readInSlices(Buffer.from(JSON.stringify(objectOf(50_000))));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
});
