import { afterEach, expect, test } from 'vitest';
import { CachedFleet } from '../testing/cached-fleet.ts';
import { from } from '../testing/watch-fleet.ts';

let fleet: CachedFleet;
afterEach(() => fleet?.[Symbol.dispose]());

const item = (metadata: object) =>
  Buffer.from(JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'x', uid: 'm2-x', ...metadata } }));

/** What a member writes into `metadata.resourceVersion` of a list, as JSON parses it. */
const hostile = [
  '502"}}}',
  '{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"victim.clusterspace.m1","uid":"m1-victim","resourceVersion":"11"},"spec":{"from":"m2"}}}',
  '{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x.clusterspace.m2","resourceVersion":"503',
].join('\n');

test('SEC-1: an object that would show a list version which is not the same in JSON ends the watch', async () => {
  fleet = new CachedFleet();
  await fleet.join('m1', 10, []);
  const { spec } = await fleet.join('m2', 500, []);
  const writer = fleet.shard.writer(spec.id)!;
  writer.apply([{ type: 'ADDED', item: item({ resourceVersion: '501', labels: { a: 'b' } }) }], '501');
  const client = await fleet.watch(`${from({ m1: '10', m2: '500' })}&labelSelector=a%3Db`);
  await client.until(() => client.events.includes('ADDED x.clusterspace.m2'));
  // The new list has the object without the label and without a version, so that the list's is shown.
  using relist = writer.relist('object');
  relist.add([item({})]);
  relist.commit(hostile);
  await client.until(() => client.events.length > 1);
  expect(client.events).toEqual(['ADDED x.clusterspace.m2', 'ERROR']);
});
