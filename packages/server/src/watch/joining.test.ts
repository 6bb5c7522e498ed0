import { describe, expect, onTestFinished, test } from 'vitest';
import type { ListAnswer, ListAsk } from '../merge/source.ts';
import { FakeWatched } from '../testing/fake-watched.ts';
import { type Client, Fleet, from, watchList } from '../testing/watch-fleet.ts';

/** Its lists stop behind the first object until the test lets them go on. */
class Halting extends FakeWatched {
  private readonly halt = Promise.withResolvers<void>();
  goOn = () => this.halt.resolve();
  breakOff = () => this.halt.reject(new Error('connection reset'));

  override async list(ask: ListAsk): Promise<ListAnswer> {
    const answer = await super.list(ask);
    if (answer.is !== 'list') return answer;
    const { items } = answer;
    const { halt } = this;
    const halting = async function* () {
      let sent = false;
      for await (const batch of items) {
        for (const item of batch) {
          if (sent) await halt.promise;
          sent = true;
          yield [item];
        }
      }
    };
    return { ...answer, items: halting() };
  }
}

const maps = { names: 'plain', annotated: 'resource.karmada.io/cached-from-cluster', versions: 'maps' } as const;
const gone = { type: 'ERROR', code: 410 };
const partly = { m1: '10', m2: null };

/** m1 is watched, and m2 joins. */
async function scene(names: readonly string[] = ['b', 'c'], view?: Fleet['view']) {
  const joining = new Halting('m2', 500, names);
  const fleet = new Fleet(new FakeWatched('m1', 10), joining);
  onTestFinished(() => fleet[Symbol.dispose]());
  fleet.view = view;
  fleet.granted = ['m1'];
  const client = await fleet.watch(from({ m1: '10' }));
  await client.until(() => fleet.member('m1').watches === 1);
  fleet.granted = undefined;
  fleet.watches.refresh();
  await client.until(() => joining.asked.some((asked) => asked.startsWith('list')));
  return { fleet, joining, client };
}

const lastMap = ({ bookmarks }: Client) => bookmarks.at(-1)?.map;
const versionOf = (map: object) => Buffer.from(JSON.stringify(map)).toString('base64url');

async function resumed(fleet: Fleet, version: string) {
  const client = await fleet.watch(`watch=true&allowWatchBookmarks=true&resourceVersion=${version}`);
  await client.until(() => client.received.length > 0);
  return client;
}

describe('RV-6: nobody resumes from a position at which a part of a cluster was sent', () => {
  test('a watch that ends meanwhile: the client lists again, and does not keep what was deleted', async () => {
    const { fleet, joining, client } = await scene();
    await client.until(() => client.events.length === 1);
    fleet.watches.end();
    await client.until(() => client.ended);
    expect(client.received.at(-1)).toEqual({ type: 'BOOKMARK', map: partly });
    joining.remove('b');
    const back = await resumed(fleet, versionOf(lastMap(client)!));
    await back.until(() => back.ended);
    expect(back.received).toEqual([gone]);
  });

  test('one that breaks off has the map already: it comes in front of the objects', async () => {
    const { client } = await scene();
    await client.until(() => client.events.length === 1);
    expect(client.received.map(({ type }) => type)).toEqual(['BOOKMARK', 'ADDED']);
    expect(lastMap(client)).toEqual(partly);
  });

  test('WATCH-2: the entry follows the last object; the watch resumes from it', async () => {
    const { fleet, joining, client } = await scene();
    await client.until(() => client.events.length === 1);
    joining.goOn();
    await client.until(() => lastMap(client)?.['m2'] === '500');
    const behind = client.received.findIndex(({ map }) => map?.['m2'] === '500');
    expect(client.received.slice(0, behind).filter(({ type }) => type === 'ADDED')).toHaveLength(2);
    client.leave();
    joining.remove('b');
    const back = await resumed(fleet, versionOf(lastMap(client)!));
    expect(back.events).toEqual(['DELETED b.clusterspace.m2']);
  });

  test('a cluster of which nothing was sent has no entry: it starts with ADDED', async () => {
    const { fleet, joining, client } = await scene([]);
    joining.instead = { is: 'missing', reason: 'away' };
    fleet.member('m1').put('a');
    await client.until(() => client.bookmarks.length > 0);
    expect(client.bookmarks.every(({ map }) => map!['m2'] !== null)).toBe(true);
  });

  test('an initial list that broke off and cannot be completed', async () => {
    const { fleet, joining, client } = await scene();
    await client.until(() => client.events.length === 1);
    joining.instead = { is: 'absent' };
    joining.breakOff();
    await client.until(() => client.ended);
    expect(client.received.at(-1)).toEqual(gone);
    joining.instead = undefined;
    const back = await resumed(fleet, versionOf(lastMap(client)!));
    expect(back.received[0]).toEqual(gone);
  });

  test('RV-4: maps of events have it, too', async () => {
    const { fleet, client } = await scene(['b', 'c'], maps);
    await client.until(() => client.events.length === 1);
    fleet.member('m1').put('a');
    await client.until(() => client.events.length === 2);
    const { version } = client.received.find(({ name }) => name === 'a')!;
    expect(version).toBe(versionOf({ m1: '11', m2: null }));
    const back = await resumed(fleet, version!);
    expect(back.received[0]).toEqual(gone);
  });

  test('watchers that lack the same clusters have bookmarks of their own', async () => {
    const { fleet, joining, client } = await scene();
    await client.until(() => client.events.length === 1);
    joining.instead = { is: 'missing', reason: 'away' };
    const other = await fleet.watch(from({ m1: '10' }));
    fleet.member('m1').put('a');
    await client.until(() => lastMap(client)?.['m1'] === '11');
    await other.until(() => lastMap(other)?.['m1'] === '11');
    expect([lastMap(client), lastMap(other)]).toEqual([{ m1: '11', m2: null }, { m1: '11' }]);
  });

  test('WATCH-2: there is none before the end of initial events, which comes when all is sent', async () => {
    const joining = new Halting('m2', 500, ['b', 'c']);
    const fleet = new Fleet(new FakeWatched('m1', 10), joining);
    onTestFinished(() => fleet[Symbol.dispose]());
    fleet.view = maps;
    const client = await fleet.watch(watchList);
    await client.until(() => client.events.length === 1);
    await client.until(() => fleet.member('m1').watches === 1);
    fleet.member('m1').put('a');
    await client.until(() => client.events.length === 2);
    expect(client.bookmarks).toEqual([]);
    expect(client.received.at(-1)!.version).toBe(versionOf({ m1: '11', m2: null }));
    joining.goOn();
    await client.until(() => client.bookmarks.length > 0);
    expect(client.bookmarks[0]).toEqual({ type: 'BOOKMARK', map: { m1: '11', m2: '500' }, end: true });
  });

  test('a watch without a version has no bookmark in front of its objects: there is nothing to resume from', async () => {
    const fleet = new Fleet(new FakeWatched('m1', 10, ['a']));
    onTestFinished(() => fleet[Symbol.dispose]());
    const client = await fleet.watch('watch=true&allowWatchBookmarks=true');
    await client.until(() => fleet.member('m1').watches === 1);
    fleet.member('m1').put('b');
    await client.until(() => client.bookmarks.length > 0);
    expect(client.received.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'BOOKMARK']);
    expect(lastMap(client)).toEqual({ m1: '11' });
  });

  test('initial events count it as "": they replace what the client has', async () => {
    const { fleet, joining, client } = await scene();
    await client.until(() => client.events.length === 1);
    joining.goOn();
    joining.remove('b');
    const back = await fleet.watch(`${watchList}&resourceVersion=${versionOf(partly)}`);
    await back.until(() => back.bookmarks.length > 0);
    expect(back.events).toEqual(['ADDED c.clusterspace.m2']);
    expect(lastMap(back)).toEqual({ m1: '10', m2: '501' });
  });
});
