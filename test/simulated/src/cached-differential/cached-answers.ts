/** How often the cache has answered, and how often members were asked instead. */

import type { KubeConfig } from '@kubernetes/client-node';
import { requestAs } from '../request.ts';

export interface CountedAnswers {
  cached: number;
  /** By reason. */
  live: Record<string, number>;
}

export async function countAnswers(admin: KubeConfig): Promise<CountedAnswers> {
  const { body } = await requestAs(admin, '/metrics', {}, true);
  const counted: CountedAnswers = { cached: 0, live: {} };
  for (const line of (body as string).split('\n')) {
    const by = /^fleet_cache_answers_total\{.*by="([^"]*)"/.exec(line)?.[1];
    if (by === undefined) continue;
    const count = Number(line.split(' ').at(-1));
    if (by === 'cached') counted.cached += count;
    else counted.live[by] = (counted.live[by] ?? 0) + count;
  }
  return counted;
}
