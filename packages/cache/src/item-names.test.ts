import { findObjectNames } from '@fleet/kube/object-names.ts';
import { expect, it } from 'vitest';
import { namesOf } from './item-names.ts';
import type { FeedSpec } from './messages.ts';
import { MemoryShard } from './shard.ts';
import { podFeed } from './testing/sample-objects.ts';

/** The item of a list with this object alone, and the offsets that the cache gives for its names. */
async function listed(object: string, spec: FeedSpec = podFeed) {
  await using shard = new MemoryShard({ limit: 1e8, segmentSize: 100_000, clock: () => 0 });
  await shard.want({ feeds: [spec] });
  using relist = shard.writer(spec.id)!.relist('object');
  relist.add([Buffer.from(object)]);
  relist.commit('1');
  const page = await shard.read({ feed: spec.id, at: 'now', form: { as: 'object', inList: true }, bytes: 1 });
  if (page.is !== 'page') throw new Error(page.is);
  return { item: Buffer.from(page.chunk), names: namesOf(page.names!, 0) };
}

const managed = '"managedFields":[{"manager":"a","fieldsV1":{"f:metadata":{"f:annotations":{}}}}]';
const owner = (name: string): string => `{"kind":"ReplicaSet","name":"${name}","uid":"1"}`;
const head = '{"kind":"Pod","apiVersion":"v1",';

it.each([
  ['nothing but a name', `${head}"metadata":{"name":"a","namespace":"d"}}`],
  ['no kind', `{"metadata":{"name":"a","namespace":"d","annotations":{"x":"y"}}}`],
  [
    'all of it',
    `${head}"metadata":{"name":"a","namespace":"d","annotations":{},"ownerReferences":[${owner('b')}],${managed}}}`,
  ],
  ['managedFields first', `${head}"metadata":{${managed},"name":"a","namespace":"d","annotations":{"x":"y"}}}`],
  ['managedFields between', `${head}"metadata":{"annotations":{"x":"y"},${managed},"name":"a","namespace":"d"}}`],
  ['metadata last', `{"spec":{"a":"b"},"metadata":{"namespace":"d","ownerReferences":[${owner('b')}],"name":"a"}}`],
  [
    'whitespace',
    `{ "kind": "Pod", "apiVersion": "v1", "metadata": { ${managed} ,\n "name": "a" , "annotations" : { } , "namespace": "d" } }`,
  ],
  ['owners that are none', `${head}"metadata":{"name":"a","namespace":"d","ownerReferences":null}}`],
  ['owners without names', `${head}"metadata":{"name":"a","namespace":"d","ownerReferences":[{"kind":"x"},5]}}`],
])('CACHE-11: known offsets of names equal those that a search finds: %s', async (_, object) => {
  const { item, names } = await listed(object);
  const found = findObjectNames(item, 0, { isEvent: false, maps: true });
  expect(names).toEqual({ ...found, resourceVersion: undefined, labels: undefined });
});

it.each([
  ['several owners', `${head}"metadata":{"name":"a","namespace":"d","ownerReferences":[${owner('b')},${owner('c')}]}}`],
  [
    'owners twice',
    `${head}"metadata":{"name":"a","namespace":"d","ownerReferences":[${owner('b')}],"ownerReferences":[${owner('c')}]}}`,
  ],
  ['annotations twice', `${head}"metadata":{"name":"a","namespace":"d","annotations":{"x":"y"},"annotations":{}}}`],
  ['annotations that are none', `${head}"metadata":{"name":"a","namespace":"d","annotations":null}}`],
  ['a kind that is shown', `{"metadata":{"name":"a","namespace":"d"},"kind":"Secret","apiVersion":"v1"}`],
])('SEC-1: names are searched if more than known offsets is needed: %s', async (_, object) => {
  const { names } = await listed(object);
  expect(names).toBeUndefined();
});

it('SEC-1: the kind of custom objects is checked, as their lists have it', async () => {
  const { item, names } = await listed('{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"d"}}');
  expect(item.toString()).toContain('"kind"');
  expect(names).toBeUndefined();
});
