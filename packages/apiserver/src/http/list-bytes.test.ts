import { describe, expect, it } from 'vitest';
import { encodeObject, splicedItem, splicedObject } from '../registry/stored-object.ts';
import { listOfSpliced } from './list-bytes.ts';

const head = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '9' } };

const entriesOf = (count: number, size: number) =>
  Array.from({ length: count }, (_, index) => {
    const object = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: `é${index}` },
      data: { x: 'ü'.repeat(size) },
    };
    return { key: `/${index}`, revision: index + 1, value: encodeObject(object) };
  });

const item = (index: number, size: number) => ({
  metadata: { resourceVersion: `${index + 1}`, name: `é${index}` },
  data: { x: 'ü'.repeat(size) },
});

describe('lists of bytes', () => {
  it('that are short are there at once', () => {
    for (const count of [0, 1, 3]) {
      const bytes = listOfSpliced(head, entriesOf(count, 5), splicedItem);
      const items = Array.from({ length: count }, (_, index) => item(index, 5));
      expect(bytes.toString()).toBe(`${JSON.stringify({ ...head, items })}\n`);
    }
  });

  it('LIMIT-3: that are long come in chunks, between which others are served', async () => {
    const list = listOfSpliced(head, entriesOf(1_000, 1_000), splicedObject);
    if (Buffer.isBuffer(list)) return expect.unreachable();
    const chunks: Buffer[] = [];
    let turns = 0;
    for await (const chunk of list) {
      chunks.push(chunk);
      setImmediate(() => {
        turns += 1;
      });
    }
    const items = Array.from({ length: 1_000 }, (_, index) => ({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      ...item(index, 1_000),
    }));
    expect(Buffer.concat(chunks).toString()).toBe(`${JSON.stringify({ ...head, items })}\n`);
    expect(chunks.length).toBeGreaterThan(5);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024);
    expect(turns).toBeGreaterThanOrEqual(chunks.length - 1);
  });

  it('take objects that are longer than a chunk', async () => {
    const list = listOfSpliced(head, entriesOf(3, 200_000), splicedItem);
    if (Buffer.isBuffer(list)) return expect.unreachable();
    const text = Buffer.concat(await Array.fromAsync(list)).toString();
    expect(JSON.parse(text).items).toEqual([0, 1, 2].map((index) => item(index, 200_000)));
  });
});
