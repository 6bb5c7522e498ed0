/** Metrics of the cache: its size and freshness, how often it answers, and its requests to members. */

import { Counter, Gauge, type Registry } from 'prom-client';

interface Stat {
  objects: number;
  bytes: number;
  feeds: number;
}

/** Values that are read when metrics are requested. */
export interface MeasuredCache {
  stat(): Promise<Stat>;
  /** Seconds since the last event of the most silent stream, by cluster. */
  staleness(): ReadonlyMap<string, number>;
  /** Permissions of users that members have confirmed, and that are cached. */
  keptPermissions(): number;
  /** By cluster of which anything is cached: whether its RBAC objects are watched. */
  rbacWatched(): ReadonlyMap<string, boolean>;
}

export interface CacheMetrics {
  /** Counts answers: `cached`, or the reason for going live. */
  answered(cluster: string, by: string): void;
  /** Counts access reviews that were sent to members. */
  reviewed(outcome: string): void;
}

export function createCacheMetrics(registry: Registry): CacheMetrics {
  const registers = [registry];
  const answers = new Counter({
    name: 'fleet_cache_answers_total',
    help: 'Lists, watches and GETs of registered resources, by cluster: cached, or why the member was asked.',
    labelNames: ['cluster', 'by'],
    registers,
  });
  const reviews = new Counter({
    name: 'fleet_cache_reviews_total',
    help: 'Access reviews sent to members, by outcome: yes, no, unreachable or unknown.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    answered: (cluster, by) => answers.inc({ cluster, by }),
    reviewed: (outcome) => reviews.inc({ outcome }),
  };
}

export function measureCache(
  registry: Registry,
  { stat, staleness, keptPermissions, rbacWatched }: MeasuredCache,
): void {
  const registers = [registry];
  const gauges = {
    objects: 'Objects in the cache.',
    bytes: 'Bytes that the cache takes, with indexes and history.',
    feeds: 'Resources of clusters that are cached.',
  } as const;
  for (const [name, help] of Object.entries(gauges) as [keyof Stat, string][]) {
    new Gauge({
      name: `fleet_cache_${name}`,
      help,
      registers,
      async collect() {
        this.set((await stat())[name]);
      },
    });
  }
  new Gauge({
    name: 'fleet_cache_staleness_seconds',
    help: 'Seconds since the last event or bookmark of the most silent stream of a cluster.',
    labelNames: ['cluster'],
    registers,
    collect() {
      this.reset();
      for (const [cluster, seconds] of staleness()) this.set({ cluster }, seconds);
    },
  });
  new Gauge({
    name: 'fleet_cache_kept_permissions',
    help: 'Permissions of users that members have confirmed, and that are cached.',
    registers,
    collect() {
      this.set(keptPermissions());
    },
  });
  new Gauge({
    name: 'fleet_cache_rbac_watched',
    help: "1 while a cluster's RBAC objects are watched: permissions are kept for minutes, otherwise for seconds.",
    labelNames: ['cluster'],
    registers,
    collect() {
      this.reset();
      for (const [cluster, isWatched] of rbacWatched()) this.set({ cluster }, isWatched ? 1 : 0);
    },
  });
}
