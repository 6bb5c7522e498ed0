/** The part of the contract suite on lists, pages, single objects and their forms. */

import { expect, it } from 'vitest';
import type { ItemForm } from '../messages.ts';
import { a, b, bytes, c, event, feed, nameOf, object, type ShardContext } from './contract-context.ts';
import { cellsOf, inList, podFeed, sampleColumns, sampleObject, sampleRow } from './sample-objects.ts';

export function readContract(context: ShardContext): void {
  it('CACHE-5: a feed that is not filled yet is gone', async () => {
    expect(await context.under.shard.read({ feed, at: 'now', form: object, bytes })).toEqual({ is: 'gone' });
    expect(await context.under.shard.events({ feed, after: 1, form: event, bytes })).toEqual({ is: 'gone' });
    expect(await context.under.shard.seqOf({ feed, version: '1' })).toEqual({ is: 'gone' });
    expect(await context.under.shard.get({ feed, key: 'd/a', form: event })).toEqual({ is: 'gone' });
  });

  it('CACHE-6, PAGE-4: gives the member’s own bytes in the order of etcd', async () => {
    await context.fill([a, b, c], '10');
    const { items, position, left, next } = await context.read();
    // `-` is before `/`.
    expect(items).toEqual([c, a, b].map((sample) => inList(sampleObject(sample))));
    expect({ position, left, next }).toEqual({ position: '10', left: 0, next: undefined });
  });

  it('a namespace is a range', async () => {
    await context.fill([a, b, c, { key: 'd0/x', version: 8 }, { key: 'd.a/x', version: 9 }], '10');
    expect((await context.read({ within: 'd' })).items.map(nameOf)).toEqual(['d/a', 'd/b']);
    expect((await context.read({ within: 'd', limit: 1 })).left).toBe(1);
    expect((await context.read({ within: 'none' })).items).toEqual([]);
  });

  it('PAGE-1: pages of one state, whatever happens meanwhile, with an exact remaining count', async () => {
    const samples = Array.from({ length: 30 }, (_, i) => ({ key: `d/p${String(i).padStart(2, '0')}`, version: i }));
    await context.fill(samples, '100');
    const first = await context.read({ limit: 10 });
    expect(first.left).toBe(20);
    await context.apply('DELETED', { key: 'd/p12', version: 101 });
    await context.apply('ADDED', { key: 'd/p12a', version: 102 });
    await context.apply('MODIFIED', { key: 'd/p13', version: 103 });
    await context.apply('DELETED', { key: 'd/p12a', version: 104 });
    const second = await context.read({ at: first.seq, after: first.next!, limit: 10 });
    expect(second.items).toEqual(samples.slice(10, 20).map((sample) => inList(sampleObject(sample))));
    expect(second.left).toBe(10);
    expect(second.position).toBe('100');
    const third = await context.read({ at: first.seq, after: second.next! });
    expect(third.items.map(nameOf)).toEqual(samples.slice(20).map(({ key }) => key));
    expect((await context.read()).items).toHaveLength(29);
  });

  it('CACHE-11: answers have about as many bytes as requested, and at least one item', async () => {
    const samples = Array.from({ length: 20 }, (_, i) => ({ key: `d/p${10 + i}`, version: i, padding: 1000 }));
    await context.fill(samples, '100');
    const small = await context.read({ bytes: 1 });
    expect(small.items.map(nameOf)).toEqual(['d/p10']);
    const larger = await context.read({ bytes: 4000, after: small.next! });
    expect(larger.items.length).toBeGreaterThan(1);
    expect(larger.items.length).toBeLessThan(6);
  });

  it.each<[string, string[]]>([
    ['app=web', ['d/a']],
    ['app', ['d/a', 'd/b']],
    ['!app', ['d-x/c']],
    ['app notin (web)', ['d-x/c', 'd/b']],
    ['constructor', []],
  ])('label selector %s', async (labelSelector, keys) => {
    await context.fill([a, b, c], '10');
    const { items, left } = await context.read({ selection: { labelSelector } });
    expect(items.map(nameOf)).toEqual(keys);
    expect(left).toBeUndefined();
  });

  it.each<[string, string[]]>([
    ['metadata.name=a', ['d/a']],
    ['metadata.name!=a', ['d-x/c', 'd/b']],
    ['metadata.namespace=d', ['d/a', 'd/b']],
    ['status.phase=Pending', ['d/b']],
    ['spec.nodeName=n1,status.phase!=Failed', ['d-x/c', 'd/a']],
    ['status.podIP=10.0.0.6', ['d/b']],
    ['spec.hostNetwork=false', ['d-x/c', 'd/a', 'd/b']],
    ['spec.schedulerName=', ['d-x/c', 'd/a', 'd/b']],
  ])('CACHE-14: field selector %s', async (fieldSelector, keys) => {
    await context.fill([a, b, c], '10');
    expect((await context.read({ selection: { fieldSelector } })).items.map(nameOf)).toEqual(keys);
    const within = (await context.read({ selection: { fieldSelector }, within: 'd' })).items.map(nameOf);
    expect(within).toEqual(keys.filter((key) => key.startsWith('d/')));
  });

  it('CACHE-17: one name of a namespace, or of a cluster-scoped kind, is a whole list, as in kube-apiserver', async () => {
    await context.fill([a, b, c], '10');
    const selection = { fieldSelector: 'metadata.name=a' };
    const namespaced = await context.read({ selection, within: 'd', limit: 1 });
    expect([namespaced.items.map(nameOf), namespaced.next]).toEqual([['d/a'], undefined]);
    expect((await context.read({ selection, limit: 1 })).next).toBe('d/a');
    const nodes = { ...podFeed, id: 'm1 nodes', resource: 'nodes', kind: 'Node', namespaced: false };
    await context.under.shard.want({ feeds: [podFeed, nodes] });
    const node = (name: string) => `{"metadata":{"name":"${name}","uid":"u-${name}","resourceVersion":"5"}}`;
    await context.under.list(nodes.id, ['a', 'b'].map(node), '10');
    const whole = await context.read({ feed: nodes.id, selection, limit: 1 });
    expect([whole.items.map(nameOf), whole.next]).toEqual([['a'], undefined]);
  });

  it('CACHE-14: unknown fields and wrong selectors are the member’s to answer', async () => {
    await context.fill([a], '10');
    const ask = { feed, at: 'now', form: object, bytes } as const;
    const unknown = { is: 'unknown-field', reason: 'spec.x' };
    expect(await context.under.shard.read({ ...ask, selection: { fieldSelector: 'spec.x=1' } })).toEqual(unknown);
    const nodes = { ...podFeed, id: 'm1 nodes', resource: 'nodes', kind: 'Node', namespaced: false };
    await context.under.shard.want({ feeds: [podFeed, nodes] });
    await context.under.list(nodes.id, [], '10');
    const byNamespace = { ...ask, selection: { fieldSelector: 'metadata.namespace=d' } };
    expect(await context.under.shard.read(byNamespace)).toMatchObject({ is: 'page' });
    expect(await context.under.shard.read({ ...byNamespace, feed: nodes.id })).toMatchObject({ is: 'unknown-field' });
    const wrong = { is: 'invalid-selector' };
    expect(await context.under.shard.read({ ...ask, selection: { labelSelector: 'a b' } })).toMatchObject(wrong);
    expect(await context.under.shard.read({ ...ask, selection: { fieldSelector: 'metadata.name' } })).toMatchObject(
      wrong,
    );
  });

  it('CACHE-7: Tables have the member’s own cells, and the requested part of the object', async () => {
    await context.fill([a], '10');
    const rows = async (includeObject: 'None' | 'Metadata' | 'Object') => {
      const { items, columns } = await context.read({ form: { as: 'Table', includeObject } });
      expect(columns).toEqual(sampleColumns);
      return items;
    };
    const { metadata } = JSON.parse(sampleObject(a)) as { metadata: object };
    const partial = JSON.stringify({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
    expect(await rows('Object')).toEqual([sampleRow(a)]);
    expect(await rows('None')).toEqual([`{"cells":${cellsOf(a)},"object":null}`]);
    expect(await rows('Metadata')).toEqual([`{"cells":${cellsOf(a)},"object":${partial}}`]);
    expect((await context.read({ form: { as: 'PartialObjectMetadata' } })).items).toEqual([partial]);
  });

  it('a feed of objects has no Tables, and has the kind where events and gets have it', async () => {
    await context.under.list(feed, [inList(sampleObject(a))], '10');
    expect((await context.read()).items).toEqual([inList(sampleObject(a))]);
    expect((await context.read({ form: event })).items).toEqual([sampleObject(a)]);
    const table: ItemForm = { as: 'Table', includeObject: 'Metadata' };
    expect(await context.under.shard.read({ feed, at: 'now', form: table, bytes })).toMatchObject({ is: 'no-table' });
  });

  it('rows with other columns are no Table until they are listed again', async () => {
    await context.fill([a], '10');
    const table: ItemForm = { as: 'Table', includeObject: 'None' };
    const { seq } = await context.read({ form: table });
    await context.under.columns(feed, sampleColumns.toReversed());
    expect(await context.under.shard.read({ feed, at: 'now', form: table, bytes })).toMatchObject({ is: 'no-table' });
    await context.fill([a], '11');
    expect((await context.read({ form: table })).columns).toEqual(sampleColumns.toReversed());
    expect(await context.under.shard.read({ feed, at: seq, form: table, bytes })).toMatchObject({ is: 'no-table' });
    expect((await context.read({ at: seq })).items).toHaveLength(1);
  });

  it('CACHE-13: events behind new columns are shown in them; rows of the old ones are the member’s', async () => {
    await context.fill([a, b], '10');
    const table: ItemForm = { as: 'Table', includeObject: 'None' };
    const { seq } = await context.read({ form: table });
    await context.apply('MODIFIED', { ...a, version: 11 });
    await context.under.columns(feed, sampleColumns.toReversed());
    await context.apply('MODIFIED', { ...b, version: 12 });
    const old = await context.under.shard.events({ feed, after: seq, form: table, bytes });
    expect(old).toMatchObject({ is: 'no-table' });
    const now = await context.events({ after: seq + 1, form: table });
    expect(now).toMatchObject({ types: ['MODIFIED'], columns: sampleColumns.toReversed(), position: '12' });
    await context.fill([{ ...a, version: 11 }, { ...b, version: 12 }, c], '20');
    const listed = await context.events({ after: now.seq, form: table });
    expect(listed).toMatchObject({ types: ['ADDED'], versions: ['7'], position: '20' });
    // An object that no longer matches is shown as it was before, with the columns that it had then.
    await context.under.columns(feed, sampleColumns);
    await context.apply('MODIFIED', { ...a, version: 21, labels: {} });
    const left = { feed, after: listed.seq, form: table, bytes, selection: { labelSelector: 'app=web' } };
    expect(await context.under.shard.events(left)).toMatchObject({ is: 'no-table' });
    expect((await context.events({ after: listed.seq })).types).toEqual(['MODIFIED']);
  });

  it('custom resources keep their kind in lists; their metadata alone has the order of Go', async () => {
    const custom = sampleObject({ ...a, sorted: true });
    await context.under.list(feed, [custom], '10');
    expect((await context.read()).items).toEqual([custom]);
    const [partial] = (await context.read({ form: { as: 'PartialObjectMetadata' } })).items;
    const { metadata } = JSON.parse(sampleObject(a)) as { metadata: { managedFields: object[] } };
    expect(partial).toBe(JSON.stringify({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }));
  });

  it('get: one object by its key', async () => {
    await context.fill([a, b], '10');
    const found = await context.under.shard.get({ feed, key: 'd/b', form: event });
    expect(found).toMatchObject({ is: 'item', version: '6', uid: 'uid-d/b', position: '10' });
    expect('bytes' in found && Buffer.from(found.bytes).toString()).toBe(sampleObject(b));
    const line = await context.under.shard.get({ feed, key: 'd/b', form: event, endsLine: true });
    expect('bytes' in line && Buffer.from(line.bytes).toString()).toBe(`${sampleObject(b)}\n`);
    expect(await context.under.shard.get({ feed, key: 'd/none', form: event })).toMatchObject({
      is: 'absent',
      position: '10',
    });
  });

  it('has: whether an object is there, by its key', async () => {
    const { shard } = context.under;
    expect(await shard.has({ feed, key: 'd/a' })).toEqual({ is: 'gone' });
    await context.fill([a, b], '10');
    expect(await shard.has({ feed, key: 'd/a' })).toEqual({ is: 'there' });
    expect(await shard.has({ feed, key: 'd/none' })).toEqual({ is: 'absent' });
    expect(await shard.has({ feed: 'unknown', key: 'd/a' })).toEqual({ is: 'gone' });
  });

  it('CACHE-2: the states of feeds are pushed', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const end = context.under.shard.states(([state]) => {
      if (state?.filled) resolve(state);
    });
    await context.fill([a, b], '10');
    expect(await promise).toMatchObject({ feed, filled: true, objects: 2, position: '10' });
    end();
  });
}
