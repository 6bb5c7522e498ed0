import type { JsonValue } from '@fleet/kube/json-value.ts';
import { expect, it } from 'vitest';
import { readInSlices } from './read-in-slices.ts';

const record = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, {}]));
const objectOf = (count: number) => ({
  kind: 'A',
  metadata: { name: 'x', labels: { __proto__x: 'é"' }, managedFields: [{ fieldsV1: record(count) }] },
  data: record(count),
  list: [
    1,
    null,
    'x',
    ...Array.from({ length: count }, (_, index) => ({ index })),
    'x'.repeat(count * 10),
    record(count),
  ],
});

it('LIMIT-3: what is read piece by piece is the same', async () => {
  for (const count of [1, 5_000]) {
    expect(await readInSlices(Buffer.from(JSON.stringify(objectOf(count))))).toEqual(objectOf(count));
  }
});

it('LIMIT-3: also what has odd names, long numbers, or is deep', async () => {
  const deep = `${'{"a":'.repeat(500)}${JSON.stringify(record(5_000))}${'}'.repeat(500)}`;
  const text = `{"metadata":{"__proto__":{"x":1}},"a\\"b":${JSON.stringify('y'.repeat(40_000))},"n":[9007199254740993,${'1,'.repeat(20_000)}2],"deep":${deep}}`;
  const read = (await readInSlices(Buffer.from(text))) as unknown as Record<string, JsonValue>;
  expect(Object.keys(read)).toEqual(['metadata', 'a"b', 'n', 'deep']);
  expect(Object.hasOwn(read['metadata'] as object, '__proto__')).toBe(true);
  expect((read['n'] as JsonValue[])[0]).toBe(9007199254740993n);
  expect((read['n'] as JsonValue[]).length).toBe(20_002);
  expect(JSON.stringify(read['deep'])).toBe(deep);
});

it('LIMIT-3: the event loop turns meanwhile, also within one field', async () => {
  const turnsWhile = async (object: object): Promise<number> => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    await readInSlices(Buffer.from(JSON.stringify(object)));
    clearInterval(timer);
    return turns;
  };
  expect(await turnsWhile(objectOf(10_000))).toBeGreaterThan(1);
  const one = { spec: { versions: [{ schema: record(30_000) }] } };
  expect(await turnsWhile(one)).toBeGreaterThan(1);
});
