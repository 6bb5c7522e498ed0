/**
 * 1 000 watchers of one thing over 200 clusters, in this process and without a network: how long one batch of events, one
 * round of bookmarks, and a client that resumes hold the event loop. `BENCH_WATCHERS` and `BENCH_SOURCES` make it smaller.
 */

import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { MemoryShard } from '@fleet/cache/shard.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { User } from '@fleet/server/authn/user.ts';
import { SharedStreams } from '@fleet/server/cache/shared-streams.ts';
import type { PlainReply, PushedBody, Sink } from '@fleet/server/http/message.ts';
import { combineVersions } from '@fleet/server/present/versions.ts';
import { CachedMember } from '@fleet/server/testing/cached-member.ts';
import { FakeWatched } from '@fleet/server/testing/fake-watched.ts';
import { incomingOf, targetOf } from '@fleet/server/testing/targets.ts';
import { mergeWatch } from '@fleet/server/watch/merge-watch.ts';
import { SharedWatches } from '@fleet/server/watch/shared-watches.ts';
import { spread } from './ratio.ts';

const watchers = Number(process.env['BENCH_WATCHERS'] ?? 1_000);
const sources = Number(process.env['BENCH_SOURCES'] ?? 200);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 10);

/** Between two bookmarks, in milliseconds. */
const pace = 1_000;
const missed = 2_000;

/** Takes everything and counts it. */
class Taken implements Sink {
  bytes = 0;
  readonly unsent = 0;
  write(chunk: Buffer): boolean {
    this.bytes += chunk.length;
    return true;
  }
  onDrain(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }
}

/** What a watch needs beside its members. */
const partsOf = (watches: SharedWatches) => ({
  watches,
  kindOf: async () => ({ kind: 'Pod', apiVersion: 'v1' }),
  kinds: { isOfAnother: () => false },
  serves: async () => true,
  serverOf: () => undefined,
  partialLists: 'tables' as const,
  onMissing: () => {},
});

class Fleet {
  readonly members = Array.from({ length: sources }, (_, n) => new FakeWatched(`cluster-${n}`, 1_000 + n));
  readonly gone = new AbortController();
  private readonly byName = new Map(this.members.map((member) => [member.cluster, member]));
  private readonly clusters = this.members.map(({ cluster }) => cluster);
  private readonly watches: SharedWatches;

  constructor(watches: SharedWatches) {
    this.watches = watches;
  }

  get map(): string {
    return combineVersions(new Map(this.members.map(({ cluster, version }) => [cluster, String(version)])));
  }

  async watch(from: string): Promise<Taken> {
    const target = targetOf('GET', `/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion=${from}`);
    const reply = (await mergeWatch(
      partsOf(this.watches),
      {
        user: { name: 'bench', uid: undefined, groups: [], extra: {}, origin: 'other' },
        scope: '',
        target,
        clusters: this.clusters,
        clustersNow: async () => this.clusters,
        sourceOf: (cluster) => this.byName.get(cluster)!,
        incoming: incomingOf('GET', '/api/v1/pods', { signal: this.gone.signal }),
      },
      target.ask as ResourceRequest,
    )) as PlainReply;
    const taken = new Taken();
    (reply.body as PushedBody).pushInto(taken).catch(() => {});
    return taken;
  }
}

/** The most that one turn of the event loop takes while something goes on, in milliseconds of CPU: others share the machine. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let over = false;
  let longest = 0;
  const going = work().finally(() => {
    over = true;
  });
  for (let last = cpu(); !over; ) {
    await turn();
    const now = cpu();
    longest = Math.max(longest, now - last);
    last = now;
  }
  await going;
  return longest;
}

/** Until nobody is sent anything any more, the bookmark behind it included. */
async function quiet(open: readonly Taken[]): Promise<void> {
  const sum = () => open.reduce((bytes, taken) => bytes + taken.bytes, 0);
  for (let before = -1; before !== sum(); ) {
    before = sum();
    await pause(2 * pace);
  }
}

function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export async function benchWatchers(): Promise<void> {
  using watches = new SharedWatches(() => {});
  const fleet = new Fleet(watches);
  const start = cpu();
  const open: Taken[] = [];
  for (let n = 0; n < watchers; n++) open.push(await fleet.watch(fleet.map));
  console.log(`${watchers} watchers over ${sources} sources, opened in ${Math.round(cpu() - start)} ms`);
  const [batches, bookmarks, resumed]: number[][] = [[], [], []];
  const member = fleet.members[7]!;
  for (let round = 0; round < rounds; round++) {
    member.put('first');
    await pause(pace / 4);
    const event = async () => {
      const before = open.at(-1)!.bytes;
      member.put('second');
      while (open.at(-1)!.bytes === before) await turn();
    };
    batches!.push(await longestHold(event));
    bookmarks!.push(await longestHold(() => pause(pace)));
    await pause(pace / 4);
  }
  const map = fleet.map;
  for (let n = 0; n < missed; n++) fleet.members[n % sources]!.put('missed');
  await quiet(open);
  for (let round = 0; round < rounds; round++) resumed!.push(await longestHold(() => fleet.watch(map)));
  await quiet(open);
  const bytes = new Set(open.map(({ bytes }) => bytes));
  if (bytes.size !== 1) throw new Error(`watchers were sent different things: ${[...bytes].join(', ')} bytes`);
  console.log(`one batch of events: ${spread(batches!, 1)} ms`);
  console.log(`one round of bookmarks: ${spread(bookmarks!, 1)} ms`);
  console.log(`resuming ${missed} events ago: ${spread(resumed!, 1)} ms`);
  fleet.gone.abort();
}

/** As many users as there are watchers, each with its own watch of one cached resource. */
async function watchAsUsers(count: number, member: CachedMember, watches: SharedWatches, signal: AbortSignal) {
  const map = combineVersions(new Map([[member.cluster, String(member.version)]]));
  const target = targetOf('GET', `/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion=${map}`);
  const open: Taken[] = [];
  for (let n = 0; n < count; n++) {
    const user: User = { name: `user-${n}`, uid: undefined, groups: [], extra: {}, origin: 'other' };
    const ask = {
      user,
      scope: '',
      target,
      clusters: [member.cluster],
      clustersNow: async () => [member.cluster],
      sourceOf: () => member.sourceFor(user),
      incoming: incomingOf('GET', '/api/v1/pods', { signal }),
    };
    const reply = (await mergeWatch(partsOf(watches), ask, target.ask as ResourceRequest)) as PlainReply;
    const taken = new Taken();
    (reply.body as PushedBody).pushInto(taken).catch(() => {});
    open.push(taken);
  }
  while (member.cachedWatches < count) await turn();
  return open;
}

/** One event of a cached resource that users watch, each with a permission of its own: a few of them beside all. */
export async function benchUsers(): Promise<void> {
  for (const count of [Math.max(1, Math.round(watchers / 100)), watchers]) {
    using watches = new SharedWatches(() => {});
    await using shard = new MemoryShard({ limit: 64 * 1024 * 1024, segmentSize: 1024 * 1024 });
    const member = new CachedMember(shard, new SharedStreams(shard), 'cluster-0', 1_000, ['first']);
    await shard.want({ feeds: [member.spec] });
    member.fill();
    const gone = new AbortController();
    const start = cpu();
    const open = await watchAsUsers(count, member, watches, gone.signal);
    console.log(`${count} users of one cached resource, opened in ${Math.round(cpu() - start)} ms`);
    const batches: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = cpu();
      const bytes = open.map((taken) => taken.bytes);
      member.put('second');
      while (open.some((taken, index) => taken.bytes === bytes[index])) await turn();
      batches.push(cpu() - before);
      await pause(2 * pace);
    }
    console.log(`one event: ${spread(batches, 1)} ms`);
    gone.abort();
  }
}
