import { describe, expect, onTestFinished, test } from 'vitest';
import { mapOf } from '../present/versions.ts';
import { FakeWatched } from '../testing/fake-watched.ts';
import { type Client, Fleet, from, watchList } from '../testing/watch-fleet.ts';

const fleetOf = (...members: FakeWatched[]) => {
  const fleet = new Fleet(...members);
  fleet.view = { names: 'plain', annotated: 'resource.karmada.io/cached-from-cluster', versions: 'maps' };
  onTestFinished(() => fleet[Symbol.dispose]());
  return fleet;
};

/** As `type name map`. */
const versionsOf = ({ received }: Client) =>
  received
    .filter(({ type }) => type !== 'BOOKMARK')
    .map(({ type, name, version = '' }) => `${type} ${name} ${textOf(version)}`);

const textOf = (version: string) => {
  const map = mapOf(version);
  return map ? [...map].map(([cluster, own]) => `${cluster}=${own}`).join() : version;
};

describe('RV-4: an event carries the map of what its stream has sent so far', () => {
  test('with its own version for its cluster', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    const client = await fleet.watch(from({ m1: '10', m2: '500' }));
    await client.until(() => fleet.members.every(({ watches }) => watches === 1));
    fleet.member('m1').put('a');
    await client.until(() => client.events.length === 1);
    fleet.member('m2').put('b');
    await client.until(() => client.events.length === 2);
    fleet.member('m1').remove('a');
    await client.until(() => client.events.length === 3);
    expect(versionsOf(client)).toEqual(['ADDED a m1=11,m2=500', 'ADDED b m1=11,m2=501', 'DELETED a m1=12,m2=501']);
  });

  test('whoever resumes from one is sent just what follows, in maps of its own', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    const first = await fleet.watch(from({ m1: '10', m2: '500' }));
    await first.until(() => fleet.members.every(({ watches }) => watches === 1));
    fleet.member('m1').put('a');
    fleet.member('m2').put('b');
    fleet.member('m1').put('c');
    await first.until(() => first.events.length === 3);
    const all = versionsOf(first);
    for (const [index, { version }] of first.received.filter(({ type }) => type !== 'BOOKMARK').entries()) {
      const client = await fleet.watch(`watch=true&resourceVersion=${version}`);
      await client.until(() => client.events.length === 2 - index);
      expect(versionsOf(client)).toEqual(all.slice(index + 1));
      client.leave();
    }
  });

  test('initial objects have their own versions: nobody resumes in between, and writes can be conditional', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10, ['a']), new FakeWatched('m2', 500, ['b']));
    const client = await fleet.watch(watchList);
    await client.until(() => client.bookmarks.length > 0);
    expect(versionsOf(client).sort()).toEqual(['ADDED a 10', 'ADDED b 500']);
    expect(client.bookmarks[0]).toMatchObject({ end: true, map: { m1: '10', m2: '500' } });
    await client.until(() => fleet.members.every(({ watches }) => watches === 1));
    fleet.member('m2').put('c');
    await client.until(() => client.events.length === 3);
    expect(versionsOf(client)[2]).toBe('ADDED c m1=10,m2=501');
  });

  test('a cluster whose initial objects are under way has no entry yet', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500, ['b']));
    fleet.member('m2').instead = { is: 'missing', reason: 'away' };
    const client = await fleet.watch(from({ m1: '10' }));
    await client.until(() => fleet.member('m1').watches === 1);
    fleet.member('m1').put('a');
    await client.until(() => client.events.length === 1);
    expect(versionsOf(client)).toEqual(['ADDED a m1=11']);
    fleet.member('m2').instead = undefined;
    await client.until(() => client.events.length === 2);
    await client.until(() => fleet.member('m2').watches === 1);
    fleet.member('m1').put('c');
    await client.until(() => client.events.length === 3);
    expect(versionsOf(client)[2]).toBe('ADDED c m1=12,m2=500');
  });

  test('watchers in step share the bytes', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    const [a, b] = [await fleet.watch(from({ m1: '10', m2: '500' })), await fleet.watch(from({ m1: '10', m2: '500' }))];
    await a.until(() => fleet.members.every(({ watches }) => watches === 1));
    fleet.member('m1').put('x');
    await a.until(() => a.events.length === 1);
    await b.until(() => b.events.length === 1);
    expect(a.raw[0]).toBe(b.raw[0]);
    expect(versionsOf(a)).toEqual(['ADDED x m1=11,m2=500']);
  });

  test('a Table has it as its own version', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    const client = await fleet.watch(from({ m1: '10', m2: '500' }), {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    await client.until(() => fleet.members.every(({ watches }) => watches === 1));
    fleet.member('m1').put('a');
    await client.until(() => client.events.length === 1);
    expect(textOf(client.received[0]!.version!)).toBe('m1=11,m2=500');
  });
});
