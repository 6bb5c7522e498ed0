import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ListAsk } from '../merge/source.ts';
import { FakeWatched } from '../testing/fake-watched.ts';
import { Fleet, from, watchList } from '../testing/watch-fleet.ts';

let fleet: Fleet;
afterEach(() => fleet[Symbol.dispose]());

/** Its lists are answered when the test calls it, also to those who no longer want them. */
function slowToList(...[cluster, version, names]: ConstructorParameters<typeof FakeWatched>) {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const slow = new (class extends FakeWatched {
    override async list(ask: ListAsk) {
      asked.resolve();
      await answer.promise;
      return super.list({ ...ask, signal: new AbortController().signal });
    }
  })(cluster, version, names);
  return { slow, asked: asked.promise, answer: answer.resolve };
}

const gone = { type: 'ERROR', code: 410 };

describe('RV-6: a plain version from before a cluster was lost', () => {
  test('is 410 also where losing it ended the watch of somebody else', async () => {
    fleet = new Fleet(new FakeWatched('m1', 10), new FakeWatched('m2', 500), new FakeWatched('m3', 900));
    const all = from({ m1: '10', m2: '500', m3: '900' });
    const [first, other] = [await fleet.watch(all), await fleet.watch(all)];
    fleet.member('m3').put('ghost');
    await first.until(() => first.events.length === 1);
    fleet.member('m1').put('a');
    await first.until(() => first.events.length === 2);
    first.leave();
    fleet.members = fleet.members.filter(({ cluster }) => cluster !== 'm3');
    fleet.watches.refresh();
    await other.until(() => other.ended);
    expect(other.received.at(-1)).toEqual(gone);
    const back = await fleet.watch('watch=true&resourceVersion=11');
    await back.until(() => back.ended);
    expect(back.received).toEqual([gone]);
  });
});

describe('CACHE-5: a version from before a member went back', () => {
  test('is 410 also where others watch from the versions behind that', async () => {
    const restored = new (class extends FakeWatched {
      override async hasLost(version: string) {
        return version === '900';
      }
    })('m2', 500);
    fleet = new Fleet(new FakeWatched('m1', 10), restored);
    const first = await fleet.watch(from({ m1: '10', m2: '500' }));
    await first.until(() => fleet.member('m2').watches === 1);
    const late = await fleet.watch(from({ m1: '10', m2: '900' }));
    await late.until(() => late.ended);
    expect(late.received).toEqual([gone]);
    expect(first.ended).toBe(false);
  });
});

describe('WATCH-5: what comes in the moment in which a cluster is lost', () => {
  test('is not sent to anybody, nor kept for one that joins under its name', async () => {
    fleet = new Fleet(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    const first = await fleet.watch(from({ m1: '10', m2: '500' }));
    await first.until(() => fleet.member('m2').watches === 1);
    fleet.member('m2').put('late');
    fleet.members = [fleet.member('m1')];
    fleet.watches.refresh();
    await first.until(() => first.ended);
    expect(first.received).toEqual([gone]);
    const second = await fleet.watch(from({ m1: '10' }));
    fleet.members.push(new FakeWatched('m2', 20, ['real']));
    fleet.watches.refresh();
    await second.until(() => fleet.member('m2').watches === 1);
    fleet.member('m2').put('next');
    await second.until(() => second.events.includes('ADDED next.clusterspace.m2'));
    expect(second.events).toEqual(['ADDED real.clusterspace.m2', 'ADDED next.clusterspace.m2']);
  });

  test('begins nothing: a list that is answered too late', async () => {
    fleet = new Fleet(new FakeWatched('m1', 10));
    const first = await fleet.watch(from({ m1: '10' }));
    const { slow, asked, answer } = slowToList('m2', 500, ['old']);
    fleet.members.push(slow);
    fleet.watches.refresh();
    await asked;
    fleet.members = [fleet.member('m1')];
    fleet.watches.refresh();
    await first.until(() => first.ended);
    answer();
    const second = await fleet.watch(from({ m1: '10' }));
    fleet.members.push(new FakeWatched('m2', 20, ['real']));
    fleet.watches.refresh();
    await second.until(() => second.events.length > 0);
    await second.until(() => fleet.member('m2').watches === 1);
    expect(second.events).toEqual(['ADDED real.clusterspace.m2']);
    expect(fleet.member('m2').asked).toEqual([expect.stringMatching('^list '), 'watch 20']);
    expect(slow.asked).toEqual([expect.stringMatching('^list ')]);
  });
});

describe('WATCH-5 CLU-6: a cluster that was replaced under its name', () => {
  test('ends open watches with 410, and is begun anew: nobody asks it for the positions of the old one', async () => {
    fleet = new Fleet(new FakeWatched('m1', 10), new FakeWatched('m2', 500, ['old']));
    const first = await fleet.watch(from({ m1: '10', m2: '500' }));
    await first.until(() => fleet.member('m2').watches === 1);
    const old = fleet.member('m2');
    fleet.members = [fleet.member('m1'), new FakeWatched('m2', 20, ['new'])];
    fleet.watches.lose('m2');
    await first.until(() => first.ended);
    expect(first.received).toEqual([gone]);
    expect(old.watches).toBe(0);
    const second = await fleet.watch(watchList);
    await second.until(() => second.bookmarks.length === 1);
    fleet.member('m2').put('newer');
    await second.until(() => second.events.length === 2);
    expect(second.events).toEqual(['ADDED new.clusterspace.m2', 'ADDED newer.clusterspace.m2']);
    expect(fleet.member('m2').asked.filter((asked) => asked.startsWith('watch'))).toEqual(['watch 20']);
  });

  test('also while the control plane is asked: the answer that is under way does not speak of the new one', async () => {
    fleet = new Fleet(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    fleet.member('m2').instead = { is: 'absent' };
    const client = await fleet.watch(from({ m1: '10' }));
    await client.until(() => fleet.member('m2').asked.length === 1);
    const answers: ((clusters: string[]) => void)[] = [];
    fleet.clustersNow = () => new Promise((resolve) => answers.push(resolve));
    fleet.watches.refresh();
    fleet.members = [fleet.member('m1'), new FakeWatched('m2', 20, ['new'])];
    fleet.watches.lose('m2');
    answers[0]!(['m1', 'm2']);
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    expect(fleet.member('m2').asked).toEqual([]);
    answers[1]!(['m1', 'm2']);
    await client.until(() => client.events.length === 1);
    const added = client.received.find(({ type }) => type !== 'BOOKMARK');
    expect(added).toEqual({ type: 'ADDED', name: 'new.clusterspace.m2', version: '20' });
    expect(client.ended).toBe(false);
  });

  test('while a watch begins: what the old one had is not sent, and nobody resumes from there in the new one', async () => {
    const { slow, asked, answer } = slowToList('m2', 500, ['old']);
    fleet = new Fleet(new FakeWatched('m1', 10, ['a']), slow);
    const coming = fleet.watch(watchList);
    await asked;
    fleet.members = [fleet.member('m1'), new FakeWatched('m2', 20, ['new'])];
    fleet.watches.lose('m2');
    answer();
    const client = await coming;
    await client.until(() => client.ended);
    expect(client.received).toEqual([gone]);
    expect(fleet.members.map(({ watches }) => watches)).toEqual([0, 0]);
    const again = await fleet.watch(watchList);
    await again.until(() => again.bookmarks.length === 1);
    expect(again.bookmarks[0]!.map).toEqual({ m1: '10', m2: '20' });
  });

  test('AUTHZ-2: a feed of a cluster that was granted for a moment only does not outlive it', async () => {
    fleet = new Fleet(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    fleet.granted = ['m1'];
    await fleet.watch(from({ m1: '10' }));
    fleet.clustersNow = async () => ['m1'];
    fleet.granted = ['m1', 'm2'];
    const client = await fleet.watch(from({ m1: '10', m2: '500' }));
    await client.until(() => client.ended);
    expect(client.received).toEqual([gone]);
    await vi.waitFor(() => expect(fleet.members.map(({ watches }) => watches)).toEqual([1, 0]));
  });
});
