import type { Form } from '@fleet/kube/negotiate.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { View } from '../target/target.ts';
import { bodyText } from '../testing/body-text.ts';
import { sourceOf } from '../testing/fake-source.ts';
import { ByteBudget } from './byte-budget.ts';
import { mergeList } from './merge-list.ts';
import { PageTokens } from './page-token.ts';
import type { Missing } from './settle.ts';
import type { ListSource } from './source.ts';

interface Options {
  form?: Form;
  view?: View;
  isEvent?: boolean;
  partial?: boolean;
  onMissing?: (missing: Missing) => void;
  query?: string;
}

const merge = (
  sources: ListSource[],
  {
    form = 'object',
    view = { names: 'name-suffixed' },
    isEvent = false,
    partial = false,
    onMissing = () => {},
    query = '',
  }: Options = {},
) =>
  mergeList(sources, {
    path: '/api/v1/pods',
    query,
    form,
    shape: { view, isEvent, asked: undefined },
    partial,
    onMissing,
    budget: new ByteBudget(1024),
    pageTokens: new PageTokens(Buffer.alloc(32)),
    signal: new AbortController().signal,
  });

const merged = async (sources: ListSource[], options?: Options) =>
  JSON.parse(await bodyText(await merge(sources, options)));
const version = (list: { metadata: { resourceVersion: string } }) =>
  JSON.parse(Buffer.from(list.metadata.resourceVersion, 'base64url').toString());

const pod = (name: string, more: object = {}) => ({
  metadata: { name, namespace: 'd', resourceVersion: '5', ...more },
  spec: { nodeName: name },
});
const podList = (resourceVersion: string, ...items: object[]) =>
  JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion, remainingItemCount: 0 }, items });
/** More than goes out at once. */
const large = () => {
  const items = Array.from({ length: 4 }, (_, n) => pod(`p${n}`, { labels: { a: 'x'.repeat(300_000) } }));
  return sourceOf('m1', { text: podList('1', ...items), chunk: 300_000 });
};
const customList = (resourceVersion: string, ...items: object[]) =>
  JSON.stringify({ apiVersion: 'acme.io/v1', items, kind: 'WidgetList', metadata: { continue: '', resourceVersion } });

describe('LIST-1: merged object lists', () => {
  it('items come in cluster order, then in the member’s own, suffixed, own versions kept', async () => {
    const list = await merged([
      sourceOf('m1', { text: podList('10', pod('b'), pod('a')) }),
      sourceOf('m2', { text: podList('20', pod('a', { ownerReferences: [{ kind: 'ReplicaSet', name: 'rs' }] })) }),
    ]);
    expect(list).toMatchObject({ kind: 'PodList', apiVersion: 'v1' });
    expect(list.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([
      'b.clusterspace.m1',
      'a.clusterspace.m1',
      'a.clusterspace.m2',
    ]);
    expect(list.items[2]).toEqual({
      metadata: {
        name: 'a.clusterspace.m2',
        namespace: 'd',
        resourceVersion: '5',
        ownerReferences: [{ kind: 'ReplicaSet', name: 'rs.clusterspace.m2' }],
      },
      spec: { nodeName: 'a' },
    });
    expect(version(list)).toEqual({ m1: '10', m2: '20' });
    expect(list.metadata.continue).toBeUndefined();
  });

  it('RV-2: lists of custom resources end with the map', async () => {
    const widget = { apiVersion: 'acme.io/v1', kind: 'Widget', metadata: { name: 'w' } };
    const list = await merged([
      sourceOf('m1', { text: customList('10', widget) }),
      sourceOf('m2', { text: customList('20') }),
    ]);
    expect(list).toMatchObject({
      apiVersion: 'acme.io/v1',
      kind: 'WidgetList',
      items: [{ kind: 'Widget', metadata: { name: 'w.clusterspace.m1' } }],
    });
    expect(version(list)).toEqual({ m1: '10', m2: '20' });
  });

  it('members that order their keys differently still make one list', async () => {
    const itemsFirst = JSON.stringify({
      items: [{ metadata: { name: 'z' } }],
      metadata: { resourceVersion: '3' },
      kind: 'XList',
      apiVersion: 'x/v1',
    });
    const builtIn = JSON.stringify({
      kind: 'XList',
      apiVersion: 'x/v1',
      metadata: { resourceVersion: '4' },
      items: [],
    });
    for (const texts of [
      [itemsFirst, builtIn],
      [builtIn, itemsFirst],
      [itemsFirst, itemsFirst],
    ]) {
      const list = await merged(texts.map((text, index) => sourceOf(`m${index}`, { text })));
      expect(list).toMatchObject({ kind: 'XList', apiVersion: 'x/v1' });
      expect(list.items[0].metadata.name).toMatch(/^z\.clusterspace\.m/);
      expect(Object.keys(version(list))).toEqual(['m0', 'm1']);
    }
  });

  it('empty and null lists are empty arrays', async () => {
    const nothing = '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":null}';
    expect((await merged([sourceOf('m1', { text: nothing }), sourceOf('m2', { text: podList('2') })])).items).toEqual(
      [],
    );
  });

  it('NAME-12: what an Event is about carries the suffix', async () => {
    const event = { metadata: { name: 'e' }, involvedObject: { kind: 'Pod', name: 'x' }, note: 'involvedObject' };
    const list = await merged([sourceOf('m1', { text: podList('1', event) })], { isEvent: true });
    expect(list.items[0]).toEqual({
      metadata: { name: 'e.clusterspace.m1' },
      involvedObject: { kind: 'Pod', name: 'x.clusterspace.m1' },
      note: 'involvedObject',
    });
  });

  it('a plain view leaves every byte of an item as it is', async () => {
    const item = '{ "metadata" : {"name":"x"}, "n": 12345678901234567890, "s":"\\u2028\\/" }';
    const text = `{"kind":"L","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[${item}]}`;
    expect(await bodyText(await merge([sourceOf('m1', { text })], { view: { names: 'plain' } }))).toContain(
      `[${item}]`,
    );
  });

  it('splicing is parsing and changing, for any items and any chunks', async () => {
    const item = fc.record({
      before: fc.jsonValue(),
      metadata: fc.record({ name: fc.string({ minLength: 1 }), labels: fc.dictionary(fc.string(), fc.string()) }),
      spec: fc.jsonValue(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(item)),
        fc.integer({ min: 1, max: 300 }),
        fc.boolean(),
        async (lists, chunk, custom) => {
          fc.pre(lists.length > 0);
          const textFor = custom ? customList : podList;
          const list = await merged(
            lists.map((items, index) => sourceOf(`m${index}`, { text: textFor(String(index), ...items), chunk })),
          );
          const expected = lists.flatMap((items, index) =>
            items.map((one) => ({
              ...one,
              metadata: { ...one.metadata, name: `${one.metadata.name}.clusterspace.m${index}` },
            })),
          );
          expect(list.items).toEqual(JSON.parse(JSON.stringify(expected)));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('LIST-1: a body that breaks', () => {
  it.each([podList('1', pod('a'), pod('b')), customList('1', pod('a'), pod('b'))])(
    'never becomes a valid, shorter list, wherever it breaks: %s',
    async (text) => {
      const start = text.indexOf('[') + 1;
      for (let cutAt = start; cutAt < text.length; cutAt++) {
        const merging = merge([sourceOf('m1', { text: podList('1', pod('x')) }), sourceOf('m2', { text, cutAt })]);
        await expect(merging, `cut at ${cutAt}`).rejects.toMatchObject({
          code: 502,
          message: expect.stringContaining('"m2"'),
        });
      }
    },
  );

  it('nor where much has been sent before', async () => {
    const reply = await merge([large(), sourceOf('m2', { text: podList('1', pod('a')), cutAt: 130 })]);
    const seen: Buffer[] = [];
    const reading = (async () => {
      for await (const chunk of reply.body as AsyncIterable<Buffer>) seen.push(chunk);
    })();
    await expect(reading).rejects.toMatchObject({ code: 502, message: expect.stringContaining('"m2"') });
    expect(seen.length).toBeGreaterThan(0);
    expect(() => JSON.parse(Buffer.concat(seen).toString())).toThrow();
  });
});

describe('asking many members', () => {
  const away: ListSource = { cluster: 'm2', list: async () => ({ is: 'missing', reason: 'cannot be reached' }) };
  const here = () => sourceOf('m1', { text: podList('10', pod('a')) });

  it('LIST-4: a member left out is named in a header and counted, and not in the map', async () => {
    const missing: Missing[] = [];
    const reply = await merge([here(), away], { partial: true, onMissing: (one) => missing.push(one) });
    expect(reply.headers['warning']).toEqual([
      '299 - "cluster \\"m2\\" is missing from this list: it cannot be reached"',
    ]);
    expect(missing.map(({ cluster }) => cluster)).toEqual(['m2']);
    expect(version(JSON.parse(await bodyText(reply)))).toEqual({ m1: '10' });
  });

  it('LIST-4: all or nothing ends the members that had answered', async () => {
    let ended: AbortSignal | undefined;
    const answering: ListSource = {
      cluster: 'm1',
      list: (ask) => {
        ended = ask.signal;
        return here().list(ask);
      },
    };
    await expect(merge([answering, away])).rejects.toMatchObject({ code: 503 });
    expect(ended?.aborted).toBe(true);
  });

  it('LIST-1: all are asked before any has answered', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked: string[] = [];
    const waiting = (name: string): ListSource => ({
      cluster: name,
      async list(ask) {
        asked.push(name);
        if (asked.length === 3) resolve();
        await promise;
        return here().list(ask);
      },
    });
    await merge(['m1', 'm2', 'm3'].map(waiting));
    expect(asked).toEqual(['m1', 'm2', 'm3']);
  });

  it('a client that leaves ends every member’s part', async () => {
    let signal: AbortSignal | undefined;
    const source: ListSource = {
      cluster: 'm1',
      list: (ask) => {
        signal = ask.signal;
        return large().list(ask);
      },
    };
    for (const leave of ['in the middle', 'before the first byte (HEAD)']) {
      const { body } = await merge([source]);
      expect(signal?.aborted).toBe(false);
      const reading = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
      if (leave === 'in the middle') await reading.next();
      await reading.return?.();
      expect(signal?.aborted, leave).toBe(true);
    }
  });

  it('ERR-4: a query that is wrong is refused before any member is asked', async () => {
    const untouched: ListSource = { cluster: 'm1', list: () => Promise.reject(new Error('asked')) };
    await expect(merge([untouched], { query: 'resourceVersion=x' })).rejects.toMatchObject({ code: 400 });
  });
});
