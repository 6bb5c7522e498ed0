import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ListEnvelope, splitList } from './list-splitter.ts';

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

async function split(text: string, size = 7) {
  const items: string[] = [];
  let head: ListEnvelope | undefined;
  let end: ListEnvelope | undefined;
  for await (const part of splitList(inChunks(text, size))) {
    if (part.is === 'head') head = part.envelope;
    else if (part.is === 'items') items.push(...part.items.map(String));
    else end = part.envelope;
  }
  return { head, items, end };
}

const builtIn = (items: unknown[]) =>
  JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '7' }, items });

describe('splitList', () => {
  it('gives metadata before the items of built-in lists', async () => {
    const { head, items } = await split(builtIn([{ a: 1 }, { b: '}]"\\' }]));
    expect(head?.metadata?.resourceVersion).toBe('7');
    expect(items).toEqual(['{"a":1}', '{"b":"}]\\"\\\\"}']);
  });

  it('needs nothing of a chunk any more once its items are read: its memory may be used again', async () => {
    const text = '{"apiVersion":"a/v1","items":[{"x":1},{"y":2}],"kind":"XList","metadata":{"resourceVersion":"9"}}';
    for (const size of [text.length, 40, 33]) {
      const items: string[] = [];
      let end: ListEnvelope | undefined;
      for await (const part of splitList(inChunks(text, size))) {
        if (part.is === 'end') end = part.envelope;
        if (part.is !== 'items') continue;
        items.push(...part.items.map(String));
        part.items.cutFrom?.fill('#');
      }
      expect(items).toEqual(['{"x":1}', '{"y":2}']);
      expect(end).toMatchObject({ kind: 'XList', metadata: { resourceVersion: '9' } });
    }
  });

  it('gives metadata after the items of custom lists', async () => {
    const text =
      '{"apiVersion":"a/v1","items":[{"x":{"items":[1]}}],"kind":"XList","metadata":{"resourceVersion":"9"}}';
    const { head, items, end } = await split(text);
    expect(head?.metadata).toBeUndefined();
    expect(items).toEqual(['{"x":{"items":[1]}}']);
    expect(end).toMatchObject({ kind: 'XList', metadata: { resourceVersion: '9' } });
  });

  it('reads pretty-printed, empty and null lists', async () => {
    expect((await split(JSON.stringify({ metadata: {}, items: [{ a: [1, 2] }, {}] }, null, 2))).items).toHaveLength(2);
    expect((await split(builtIn([]))).items).toEqual([]);
    expect((await split('{"kind":"PodList","items":null}')).end?.kind).toBe('PodList');
  });

  it('LIST-1: a body that ends early is an error at every length, never a shorter list', async () => {
    const text = builtIn([{ a: 1 }, { b: 2 }]);
    for (let length = 0; length < text.length; length++) {
      await expect(split(text.slice(0, length)), `cut at ${length}`).rejects.toThrow();
    }
  });

  it('refuses what is no list', async () => {
    for (const text of ['<html>', '[]', '{"a":1}', '{"items":[1,2]}', '{"items":["a"]}', '{"items":[}]}', 'null']) {
      await expect(split(text), text).rejects.toThrow();
    }
  });

  it('agrees with JSON.parse for any items and any chunking', async () => {
    const item = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.array(item), fc.integer({ min: 1, max: 64 }), async (values, size) => {
        const { items } = await split(builtIn(values), size);
        expect(items.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });
});
