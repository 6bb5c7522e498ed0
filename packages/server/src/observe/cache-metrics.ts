/** How large the cache is, and how often it answers. */

import { Counter, Gauge, type Registry } from 'prom-client';

interface Stat {
  objects: number;
  bytes: number;
  feeds: number;
}

export interface CacheMetrics {
  /** Answered from the cache, or why not: `cached` beside the reasons for going live. */
  answered(cluster: string, by: string): void;
}

export function createCacheMetrics(registry: Registry): CacheMetrics {
  const answers = new Counter({
    name: 'fleet_cache_answers_total',
    help: 'Lists, watches and GETs of registered resources, by cluster: cached, or why the member was asked.',
    labelNames: ['cluster', 'by'],
    registers: [registry],
  });
  return { answered: (cluster, by) => answers.inc({ cluster, by }) };
}

export function measureCache(registry: Registry, stat: () => Promise<Stat>): void {
  const gauges = {
    objects: 'Objects in the cache.',
    bytes: 'Bytes that the cache takes, with indexes and history.',
    feeds: 'Resources of clusters that are cached.',
  } as const;
  for (const [name, help] of Object.entries(gauges) as [keyof Stat, string][]) {
    new Gauge({
      name: `fleet_cache_${name}`,
      help,
      registers: [registry],
      async collect() {
        this.set((await stat())[name]);
      },
    });
  }
}
