/** The part of the contract suite on events, relists, and the states of resource versions. */

import { expect, it } from 'vitest';
import { a, b, bytes, c, event, feed, nameOf, object, type ShardContext } from './contract-context.ts';
import { inList, podFeed, type Sample, sampleColumns, sampleObject, sampleRow } from './sample-objects.ts';

export function watchContract(context: ShardContext): void {
  it('events have a state and a position each', async () => {
    await context.fill([a], '10');
    const { seq } = await context.read();
    await context.under.apply(
      feed,
      [
        { type: 'ADDED', item: sampleRow(b) },
        { type: 'MODIFIED', item: sampleRow({ ...a, version: 12 }) },
        { type: 'DELETED', item: sampleRow({ ...b, version: 13 }) },
      ],
      '15',
    );
    const all = await context.events({ after: seq });
    expect(all.types).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(all.versions).toEqual(['6', '12', '13']);
    expect(all.items).toEqual([b, { ...a, version: 12 }, { ...b, version: 13 }].map(sampleObject));
    expect(all).toMatchObject({ position: '15', resumable: true, skip: 0 });
    const first = await context.events({ after: seq, bytes: 1 });
    expect(first).toMatchObject({ types: ['ADDED'], position: '6', resumable: true });
    const rest = await context.events({ after: first.seq });
    expect(rest.types).toEqual(['MODIFIED', 'DELETED']);
    expect((await context.under.shard.seqOf({ feed, version: '12' })) satisfies object).toEqual({
      is: 'seq',
      seq: first.seq + 1,
    });
  });

  it('WATCH-6: the states between two equal lists are unknown, too', async () => {
    await context.fill([a], '10');
    await context.under.apply(feed, [], '20');
    const { seq } = await context.read();
    await context.fill([a], '40');
    await context.fill([a], '60');
    const answers = ['20', '30', '40', '50', '60'].map((version) => context.under.shard.seqOf({ feed, version }));
    const [known, unknown] = [{ is: 'seq', seq }, { is: 'floor' }];
    expect(await Promise.all(answers)).toEqual([known, unknown, known, unknown, known]);
    await context.apply('MODIFIED', { ...a, version: 61 });
    expect(await context.under.shard.seqOf({ feed, version: '50' })).toEqual(unknown);
    expect((await context.events({ after: seq, position: '20' })).types).toEqual(['MODIFIED']);
  });

  it('CACHE-13: a list with other columns and no changes is a state without events', async () => {
    await context.under.columns(feed, sampleColumns);
    await context.fill([a], '10');
    const { seq } = await context.read();
    await context.under.columns(feed, [...sampleColumns, { ...sampleColumns[0]!, name: 'Other' }]);
    await context.fill([a], '20');
    const now = await context.read();
    const moved = await context.events({ after: seq, position: '10' });
    expect(moved).toMatchObject({ types: [], seq: now.seq, position: '20' });
    const waiting = context.events({ after: moved.seq, position: '20' });
    await context.apply('MODIFIED', { ...a, version: 21 });
    expect(await waiting).toMatchObject({ types: ['MODIFIED'] });
  });

  it('events are waited for; a bookmark moves the position alone', async () => {
    await context.fill([a], '10');
    const { seq } = await context.read();
    const waiting = context.events({ after: seq, position: '10' });
    await context.under.apply(feed, [], '20');
    expect(await waiting).toMatchObject({ types: [], seq, position: '20', resumable: true });
    const later = context.events({ after: seq, position: '20' });
    await context.apply('DELETED', { ...a, version: 21 });
    expect(await later).toMatchObject({ types: ['DELETED'], position: '21' });
  });

  it('a wait ends with the caller', async () => {
    await context.fill([a], '10');
    const { seq } = await context.read();
    const controller = new AbortController();
    const waiting = context.under.shard.events({ feed, after: seq, form: event, bytes }, controller.signal);
    controller.abort(new Error('gone away'));
    await expect(waiting).rejects.toThrow('gone away');
  });

  it('WATCH-8: selections match before and after; a leaving object is DELETED in its old state, with the event’s version', async () => {
    await context.fill([a, b], '10');
    const { seq } = await context.read();
    const left = { ...a, version: 11, labels: { app: 'other' } };
    const entered = { ...b, version: 12, labels: { app: 'web' } };
    await context.apply('MODIFIED', left);
    await context.apply('MODIFIED', entered);
    await context.apply('MODIFIED', { ...entered, version: 13 });
    await context.apply('DELETED', { ...entered, version: 14 });
    const { types, versions, items } = await context.events({ after: seq, selection: { labelSelector: 'app=web' } });
    expect(types).toEqual(['DELETED', 'ADDED', 'MODIFIED', 'DELETED']);
    expect(versions).toEqual(['11', '12', '13', '14']);
    expect(items[0]).toBe(sampleObject(a).replace('"resourceVersion":"5"', '"resourceVersion":"11"'));
    const within = await context.events({ after: seq, within: 'other' });
    expect(within).toMatchObject({ types: [], position: '14' });
  });

  it('WATCH-6: a relist is one difference, which nothing resumes within', async () => {
    await context.fill([a, b, c], '10');
    const { seq } = await context.read();
    const other = { ...b, version: 20, uid: 'another' };
    const d: Sample = { key: 'd/d', version: 21 };
    await context.fill([{ ...c, version: 22 }, other, d], '30');
    const { types, versions, items, ...standing } = await context.events({ after: seq });
    expect(types.map((type, index) => `${type} ${nameOf(items[index]!)} ${versions[index]}`)).toEqual([
      'MODIFIED d-x/c 22',
      'DELETED d/a 5',
      'DELETED d/b 6',
      'ADDED d/b 20',
      'ADDED d/d 21',
    ]);
    expect(standing).toMatchObject({ seq: seq + 1, skip: 0, position: '30', resumable: false });
    const first = await context.events({ after: seq, bytes: 1 });
    expect(first).toMatchObject({ seq, skip: 1, position: '10', resumable: false, types: ['MODIFIED'] });
    const rest = await context.events({ after: first.seq, skip: first.skip });
    expect(rest.types).toEqual(types.slice(1));
    expect(rest).toMatchObject({ seq: seq + 1, skip: 0, position: '30' });
    // The states between the two lists are unknown.
    expect(await context.under.shard.seqOf({ feed, version: '20' })).toEqual({ is: 'floor' });
    expect(await context.under.shard.seqOf({ feed, version: '10' })).toEqual({ is: 'seq', seq });
    expect(await context.under.shard.seqOf({ feed, version: '30' })).toEqual({ is: 'seq', seq: seq + 1 });
    expect((await context.read({ at: seq })).items).toEqual([c, a, b].map((sample) => inList(sampleObject(sample))));
  });

  it('CACHE-5: a list of the same objects is no event, not even where the member writes them in another order', async () => {
    await context.fill([a, b], '10');
    const { seq } = await context.read();
    await context.fill([a, b], '20');
    expect(await context.read()).toMatchObject({ seq, position: '20' });
    await context.fill([a, { ...b, sorted: true }], '30');
    expect(await context.read()).toMatchObject({ seq, position: '30' });
    await context.apply('MODIFIED', { ...a, sorted: true });
    expect(await context.read()).toMatchObject({ seq });
  });

  it('CACHE-5: a restored member may have assigned a version to another change', async () => {
    await context.fill([a], '100');
    await context.under.list(feed, [sampleRow({ ...a, labels: { app: 'restored' } })], '90', true);
    const { items } = await context.read();
    expect(items).toEqual([inList(sampleObject({ ...a, labels: { app: 'restored' } }))]);
  });

  it('CACHE-5: a restored member: every earlier version is gone', async () => {
    await context.fill([a, b], '100');
    const { seq } = await context.read();
    await context.apply('MODIFIED', { ...a, version: 110 });
    await context.under.list(feed, [a].map(sampleRow), '50', true);
    const at = async (version: string) => context.under.shard.seqOf({ feed, version });
    expect(await at('100')).toEqual({ is: 'lost' });
    expect(await at('110')).toEqual({ is: 'lost' });
    expect(await at('40')).toEqual({ is: 'lost' });
    expect(await at('50')).toMatchObject({ is: 'seq' });
    expect(await at('111')).toEqual({ is: 'not-yet', position: '50' });
    expect(await context.under.shard.events({ feed, after: seq, form: event, bytes })).toEqual({ is: 'floor' });
    // A watch that was up to date is sent the difference.
    const { types } = await context.events({ after: seq + 1 });
    expect(types).toEqual(['MODIFIED', 'DELETED']);
  });

  it('seqOf: a version that is newer than the position is waited for', async () => {
    await context.fill([a], '10');
    const { seq } = await context.read();
    expect(await context.under.shard.seqOf({ feed, version: '12' })).toEqual({ is: 'not-yet', position: '10' });
    expect(await context.under.shard.seqOf({ feed, version: '9' })).toEqual({ is: 'floor' });
    const waiting = context.under.shard.seqOf({ feed, version: '12', wait: 10_000 });
    await context.apply('MODIFIED', { ...a, version: 14 });
    // Nothing has happened between 10 and 14.
    expect(await waiting).toEqual({ is: 'seq', seq });
    expect(await context.under.shard.seqOf({ feed, version: '14' })).toEqual({ is: 'seq', seq: seq + 1 });
  });

  it('an unknown state is below the floor', async () => {
    await context.fill([a], '10');
    const { seq } = await context.read();
    for (const at of [seq - 1, seq + 1]) {
      expect(await context.under.shard.read({ feed, at, form: object, bytes })).toEqual({ is: 'floor' });
      expect(await context.under.shard.events({ feed, after: at, form: event, bytes })).toEqual({ is: 'floor' });
    }
  });

  it('WATCH-5: watches of a removed cluster end with a goodbye', async () => {
    await context.fill([a, b], '10');
    const { seq } = await context.read();
    await context.under.shard.want({ feeds: [], goodbye: [feed] });
    const { types, versions, ...rest } = await context.events({ after: seq });
    expect(types).toEqual(['DELETED', 'DELETED']);
    expect([...versions].sort()).toEqual(['5', '6']);
    const end = await context.under.shard.events({
      feed,
      after: rest.seq,
      position: rest.position,
      form: event,
      bytes,
    });
    expect(end).toEqual({ is: 'goodbye' });
    expect(await context.under.shard.read({ feed, at: 'now', form: object, bytes })).toEqual({ is: 'gone' });
  });

  it('CACHE-4: a feed that is not desired any more is gone, also for waiting callers', async () => {
    await context.fill([a], '10');
    const { seq } = await context.read();
    const waiting = context.under.shard.events({ feed, after: seq, form: event, bytes });
    await context.under.shard.want({ feeds: [] });
    expect(await waiting).toEqual({ is: 'gone' });
  });

  it('a feed that is filled again has none of its earlier states', async () => {
    await context.fill([a], '10');
    const { seq } = await context.read();
    await context.under.shard.want({ feeds: [] });
    await context.under.shard.want({ feeds: [podFeed] });
    await context.fill([a], '10');
    expect((await context.read()).seq).toBeGreaterThan(seq);
    expect(await context.under.shard.events({ feed, after: seq, form: event, bytes })).toEqual({ is: 'floor' });
  });
}
