/** How many lists and watches of registered resources the cache has answered, and how many the members. */

export interface CountedAnswers {
  cached: number;
  live: number;
}

const line = /^fleet_cache_answers_total\{cluster="([^"]*)",by="([^"]*)"\} (\d+)$/gm;

/** `metrics`: as the product serves them. Of one cluster, or of all. */
export function answersIn(metrics: string, cluster?: string): CountedAnswers {
  const counted = { cached: 0, live: 0 };
  for (const [, of, by, count] of metrics.matchAll(line)) {
    if (cluster === undefined || of === cluster) counted[by === 'cached' ? 'cached' : 'live'] += Number(count);
  }
  return counted;
}

/** Of all products of a suite. */
const total: CountedAnswers = { cached: 0, live: 0 };

export function addAnswers({ cached, live }: CountedAnswers): void {
  total.cached += cached;
  total.live += live;
}

export const allAnswers = (): Readonly<CountedAnswers> => total;
