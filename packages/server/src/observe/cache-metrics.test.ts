import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createCacheMetrics, measureCache } from './cache-metrics.ts';

it('CACHE-7: size, staleness, answers by their reason, reviews asked for and kept', async () => {
  const registry = new Registry();
  const metrics = createCacheMetrics(registry);
  const silent = new Map([
    ['m1', 3],
    ['m2', 70],
  ]);
  measureCache(registry, {
    stat: async () => ({ objects: 5, bytes: 1_000, feeds: 2 }),
    staleness: () => silent,
    keptPermissions: () => 7,
    rbacWatched: () => new Map([...silent.keys()].map((cluster) => [cluster, cluster === 'm1'])),
  });
  for (const by of ['cached', 'cached', 'unknown-field']) metrics.answered('m1', by);
  metrics.reviewed('yes');
  const lines = async () => (await registry.metrics()).split('\n').filter((line) => line.startsWith('fleet_'));
  expect(await lines()).toEqual([
    'fleet_cache_answers_total{cluster="m1",by="cached"} 2',
    'fleet_cache_answers_total{cluster="m1",by="unknown-field"} 1',
    'fleet_cache_reviews_total{outcome="yes"} 1',
    'fleet_cache_objects 5',
    'fleet_cache_bytes 1000',
    'fleet_cache_feeds 2',
    'fleet_cache_staleness_seconds{cluster="m1"} 3',
    'fleet_cache_staleness_seconds{cluster="m2"} 70',
    'fleet_cache_kept_permissions 7',
    'fleet_cache_rbac_watched{cluster="m1"} 1',
    'fleet_cache_rbac_watched{cluster="m2"} 0',
  ]);
  silent.delete('m2');
  expect((await lines()).join()).not.toContain('m2');
});
