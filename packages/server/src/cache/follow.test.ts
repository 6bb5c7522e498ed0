import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { type Cluster, connectionTypeAnnotation } from '../members/cluster.ts';
import type { MemberRegistry } from '../members/registry.ts';
import type { ResourceRegistries } from '../registries/registries.ts';
import { pods, registry, cluster as target } from '../registries/testing/registered-fleet.ts';
import { wantsOf } from '../registries/wants.ts';
import { silentLog } from '../testing/silent-log.ts';
import { followCache } from './follow.ts';

const clusterOf = (spec: object = {}, annotations: Record<string, string> = {}): Cluster =>
  ({
    metadata: { name: 'm1', uid: 'u1', annotations },
    spec: {
      syncMode: 'Push',
      apiEndpoint: 'https://10.96.0.1:443',
      proxyURL: 'http://user:password@proxy:3128',
      proxyHeader: { a: '1', b: '2' },
      ...spec,
    },
  }) as Cluster;

/** The feeds of m1 before and after an update of its Cluster. */
function feedsAround(after: Cluster) {
  let now = clusterOf();
  const events = new EventEmitter();
  const members = {
    events,
    allClusters: () => [now],
    cluster: () => now,
    uidInView: () => 'u1',
    connected: () => undefined,
  } as unknown as MemberRegistry;
  const wants = wantsOf([registry([pods])], [target('m1')]);
  const registries = { events: new EventEmitter(), wants } as unknown as ResourceRegistries;
  const nothing = () => {};
  const followed = followCache({
    members,
    registries,
    onDescribed: () => nothing,
    memory: 1e6,
    views: 'all',
    onCached: nothing,
    onLive: nothing,
    onReview: nothing,
    log: silentLog().log,
  });
  onTestFinished(() => followed[Symbol.asyncDispose]());
  const feeds = () => followed.cache.feedsWith('m1', { group: '', resource: 'pods' });
  const before = feeds();
  now = after;
  events.emit('seen', now);
  return { before, after: feeds() };
}

test.each<[string, Cluster]>([
  ['another endpoint', clusterOf({ apiEndpoint: 'https://10.96.0.2:443' })],
  ['another proxy', clusterOf({ proxyURL: 'http://other:3128' })],
  ['other headers to the proxy', clusterOf({ proxyHeader: { a: '3' } })],
  ['through its agent instead of directly', clusterOf({}, { [connectionTypeAnnotation]: 'proxy' })],
])('IMP-3: a Cluster that is reached on another route is another member: %s', (_, updated) => {
  const { before, after } = feedsAround(updated);
  expect([before.length, after.length]).toEqual([1, 1]);
  expect(after).not.toEqual(before);
});

test.each<[string, Cluster]>([
  ['its labels', { ...clusterOf(), metadata: { name: 'm1', uid: 'u1', labels: { a: 'b' } } }],
  ['the order of the headers to its proxy', clusterOf({ proxyHeader: { b: '2', a: '1' } })],
])('CACHE-4: any other change keeps the feeds: %s', (_, updated) => {
  const { before, after } = feedsAround(updated);
  expect(after).toEqual(before);
});

test('AUDIT-1: the ids of feeds, which errors may show, have no password', () => {
  const { before } = feedsAround(clusterOf());
  expect(before.join()).not.toContain('password');
});
