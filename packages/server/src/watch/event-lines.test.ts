import { afterEach, expect, test, vi } from 'vitest';
import { CachedFleet } from '../testing/cached-fleet.ts';
import { FakeWatched } from '../testing/fake-watched.ts';
import { type Client, Fleet, from, watchList } from '../testing/watch-fleet.ts';

let fleet: Fleet;
afterEach(() => fleet?.[Symbol.dispose]());

const forged =
  '{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"victim.clusterspace.m1","uid":"m1-victim","resourceVersion":"11"}}}';
const podWith = (spec: string) =>
  `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x","uid":"m2-x","resourceVersion":"501"},"spec":${spec}}`;
const between = (end: string) => podWith(`[${end}${forged}${end}]`);

/** As clients with Node's readline see them. Those of client-node pass over lines that are no JSON. */
const linesOf = ({ raw }: Client) => raw.flatMap((line) => line.split(/\r\n|\r|\u2028|\u2029/));
const namesIn = (client: Client) =>
  linesOf(client).map((line) => (JSON.parse(line) as { object: { metadata: { name?: string } } }).object.metadata.name);

/** Writes any bytes into the open watches of a member. */
class Writing extends FakeWatched {
  send(object: string): void {
    (this as unknown as { write(line: string): void }).write(`{"type":"ADDED","object":${object}}\n`);
  }
}

async function liveFleet() {
  const m2 = new Writing('m2', 500);
  fleet = new Fleet(new FakeWatched('m1', 10), m2);
  const client = await fleet.watch(from({ m1: '10', m2: '500' }));
  await vi.waitFor(() => expect(m2.watches).toBe(1));
  return { client, m2 };
}

async function cachedFleet(begun: 'before' | 'after', item: string) {
  const cached = new CachedFleet();
  fleet = cached;
  await cached.join('m1', 10, []);
  const { spec } = await cached.join('m2', 500, []);
  const relist = () => {
    using list = cached.shard.writer(spec.id)!.relist('object');
    list.add([Buffer.from(item)]);
    list.commit('502');
  };
  if (begun === 'after') relist();
  const client = await fleet.watch(begun === 'after' ? watchList : from({ m1: '10', m2: '500' }));
  if (begun === 'before') relist();
  return client;
}

test.each(['before', 'after'] as const)(
  'SEC-1: an object with line ends between its tokens is one line of a cached watch that began %s it was stored',
  async (begun) => {
    const client = await cachedFleet(begun, between('\r\n'));
    await client.until(() => client.bookmarks.length > 0);
    expect(namesIn(client)).toEqual(['x.clusterspace.m2', undefined]);
  },
);

test('SEC-1: an object with line ends between its tokens is one line of a live watch', async () => {
  const { client, m2 } = await liveFleet();
  m2.send(between('\r'));
  await client.until(() => client.bookmarks.length > 0);
  expect(namesIn(client)).toEqual(['x.clusterspace.m2', undefined]);
});

test.each([
  ['a line separator between its tokens', between('\u2028')],
  ['a line end in a string', podWith(`"\r${forged.replaceAll('"', '\\"')}\r"`)],
])('SEC-1: an event with %s breaks off its member’s stream, and no other', async (_, object) => {
  const { client, m2 } = await liveFleet();
  m2.send(object);
  fleet.member('m1').put('y');
  await client.until(() => client.events.length > 0);
  await vi.waitFor(() => expect(m2.asked.filter((ask) => ask === 'watch 500').length).toBeGreaterThan(1));
  expect(client.events).toEqual(['ADDED y.clusterspace.m1']);
  expect(client.raw.join('')).not.toContain('victim');
});

test('separators in strings are sent as they are', async () => {
  const { client, m2 } = await liveFleet();
  m2.send(podWith('{"text":"\u2028\u2029"}'));
  await client.until(() => client.events.length > 0);
  expect(client.raw[0]).toContain('"\u2028\u2029"');
});
