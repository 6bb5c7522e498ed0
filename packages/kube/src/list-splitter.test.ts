import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerMemory } from './answer-memory.ts';
import { TooLargeError } from './growing-bytes.ts';
import { JsonBytesError } from './json-bytes.ts';
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

  it('needs a chunk no longer than its items: its memory can be reused', async () => {
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

  it('refuses a body that is not a list', async () => {
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

describe('SEC-2: a list of a hostile member', () => {
  const limit = 100_000;
  /** A hundred times the limit: code without a limit reads it to the end, and fails with another error. */
  async function* endless(begin: string, again: string): AsyncGenerator<Buffer> {
    yield Buffer.from(begin);
    for (let sent = 0; sent < 100 * limit; sent += again.length) yield Buffer.from(again);
  }
  const read = async (body: AsyncIterable<Buffer>, limit?: number) => {
    for await (const _ of splitList(body, new AnswerMemory(limit)));
  };

  it.each([
    ['an item', '{"items":[{"a":"', 'x'.repeat(1000), TooLargeError],
    ['what follows the items', '{"items":[],"metadata":"', 'x'.repeat(1000), TooLargeError],
    ['what comes before them', '{"a":"', 'x'.repeat(100_000), 'no items within the first 4 MiB'],
  ])('%s that never ends is refused', async (_, begin, again, error) => {
    await expect(read(endless(begin, again), limit)).rejects.toThrow(error);
  });

  it('an item in one chunk is refused, too', async () => {
    const text = builtIn([{ a: 'x'.repeat(1000) }]);
    await expect(read(inChunks(text, text.length), 1000)).rejects.toThrow(TooLargeError);
    await read(inChunks(text, text.length), 1100);
  });

  it('SEC-3: a Table with too many columns is refused', async () => {
    const table = (columnDefinitions: object[]) => JSON.stringify({ kind: 'Table', columnDefinitions, rows: [] });
    const columns = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${index}` }));
    expect((await split(table(columns(1_000)))).head?.columnDefinitions).toHaveLength(1_000);
    await expect(split(table(columns(1_001)))).rejects.toThrow('not a list');
    await expect(split(table([{ name: 'x', description: 'x'.repeat(300_000) }]), 10_000)).rejects.toThrow('not a list');
  });

  it.each([
    ['a kind', 512, (text: string) => ({ kind: text })],
    ['an apiVersion', 512, (text: string) => ({ apiVersion: text })],
    ['a version', 16_384, (text: string) => ({ metadata: { resourceVersion: text } })],
    ['a continue token', 16_384, (text: string) => ({ metadata: { continue: text } })],
  ])('SEC-3: %s that is too long is refused', async (_, longest, head) => {
    const list = (length: number) => JSON.stringify({ ...head('x'.repeat(length)), items: [{}] });
    expect((await split(list(longest), 1_000)).items).toHaveLength(1);
    await expect(split(list(longest + 1), 1_000)).rejects.toThrow('not a list');
  });

  it('SEC-3: a head in small pieces is not searched once for each piece', async () => {
    const head = `{"kind":"PodList","metadata":{"a":"${'x'.repeat(1_000_000)}","resourceVersion":"7"},"items":[{"a":1}`;
    const begun = process.threadCpuUsage();
    const { head: found, items } = await split(`${head}]}`, 100);
    const { user } = process.threadCpuUsage(begun);
    expect([found?.metadata?.resourceVersion, items]).toEqual(['7', ['{"a":1}']]);
    expect(user).toBeLessThan(2_000_000);
  });

  it('a head that is found only at the end still has its items', async () => {
    const metadata = { a: 'x'.repeat(70_000), resourceVersion: '7' };
    const text = JSON.stringify({ kind: 'PodList', metadata, items: [{ a: 1 }, { b: 2 }] });
    for (const size of [1, 1000, 9_000, 70_050]) {
      const { head, items, end } = await split(text, size);
      expect([head?.metadata?.resourceVersion, items, end?.kind]).toEqual(['7', ['{"a":1}', '{"b":2}'], 'PodList']);
    }
  });
});

describe('SEC-2: the memory of a large item', () => {
  const mib = 1024 * 1024;
  const memory = new AnswerMemory(8 * mib);
  async function* pieces(begin: string, count: number, end: string): AsyncGenerator<Buffer> {
    yield Buffer.from(begin);
    for (let i = 0; i < count; i++) yield Buffer.alloc(mib, 'x');
    yield Buffer.from(end);
  }
  const head = '{"kind":"PodList","items":[{"a":"';

  it('is held while it is used, and released', async () => {
    const free: number[] = [];
    const body = async function* () {
      yield* pieces(head, 3, '"}');
      yield Buffer.from(',{"b":1}]}');
    };
    for await (const part of splitList(body(), memory)) if (part.is === 'items') free.push(memory.free);
    expect(free).toEqual([3, 4]);
    expect(memory.free).toBe(4);
  });

  it.each([
    ['a reader that leaves', head, 4, '"}]}'],
    ['one that is too large', head, 9, '"}]}'],
    ['one that breaks off', head, 4, ''],
    ['a large head that breaks off', '{"a":"', 3, ''],
    ['a large head', '{"a":"', 3, '","items":[{}]}'],
    ['a large tail', '{"kind":"PodList","items":[{}],"metadata":{"continue":"', 4, '"}}'],
  ])('is released after %s', async (name, begin, count, end) => {
    const reading = (async () => {
      for await (const part of splitList(pieces(begin, count, end), memory)) {
        if (name === 'a reader that leaves' && part.is === 'items') break;
      }
    })();
    await reading.catch(() => {});
    expect(memory.free).toBe(4);
  });
});

describe('SEC-1: items that only clients would see', () => {
  it.each([
    ['second items', '{"kind":"PodList","items":[{"a":1}],"items":[{"b":1}]}'],
    ['items behind none', '{"kind":"PodList","items":null,"items":[{"b":1}]}'],
    ['items behind rows', '{"kind":"PodList","rows":[],"items":[{"b":1}]}'],
    ['rows behind items', '{"kind":"Table","items":[],"rows":[{"b":1}]}'],
    ['items in a Table', '{"kind":"Table","rows":[],"items":[{"b":1}]}'],
    ['a Table whose kind comes after its rows', '{"rows":[{"b":1}],"kind":"Table"}'],
    ['an escaped key', '{"kind":"PodList","items":[{"a":1}],"it\\u0065ms":[{"b":1}]}'],
    ['an escaped key before them', '{"kind":"PodList","it\\u0065ms":[{"b":1}],"items":[{"a":1}]}'],
    ['a second kind', '{"kind":"PodList","items":[{"a":1}],"kind":"Table"}'],
  ])('%s', async (_, text) => {
    for (const size of [7, text.length]) await expect(split(text, size)).rejects.toThrow(JsonBytesError);
  });

  it('accepts Tables, and lists whose kind comes last', async () => {
    expect((await split('{"kind":"Table","columnDefinitions":[],"rows":[{"a":1}]}')).items).toHaveLength(1);
    expect((await split('{"items":[{"a":1}],"kind":"PodList","metadata":{}}')).items).toHaveLength(1);
  });
});
