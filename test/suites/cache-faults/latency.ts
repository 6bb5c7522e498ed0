/** How long cached reads take, with a member that does not answer and without one. */

import type { Client } from './client.ts';
import { aggregation } from './held.ts';
import { configMaps, within } from './kinds.ts';

export interface Latency {
  count: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
}

const others = encodeURIComponent('clusterspace!=member3');

/** Reads of the others, and lists of all: those, too, must not wait for one of them. */
export const reads: Readonly<Record<string, string>> = {
  'list of the others': `${within(configMaps)}?labelSelector=${others}`,
  'list of all': within(configMaps),
  'list of all, aggregation': `${aggregation}${within(configMaps)}`,
  'GET of another': `${within(configMaps)}/staying-1.clusterspace.member1`,
  'GET of another, aggregation': `${aggregation}${within(configMaps)}/staying-1.clusterspace.member1`,
};

const lanes = 4;
const warmUp = 20;

/** Fails where a read is not answered as it should be. The first of them, which are slower, are not counted. */
export async function measure(client: Client, count: number): Promise<Record<string, Latency>> {
  for (const path of Object.values(reads)) for (let index = 0; index < warmUp; index++) await client.get(path);
  const all: Record<string, Latency> = {};
  for (const [name, path] of Object.entries(reads)) {
    const times: number[] = [];
    const lane = async () => {
      for (let index = 0; index < count / lanes; index++) {
        const { code, milliseconds, body } = await client.get(path);
        if (code !== 200) throw new Error(`${name}: ${code} ${body}`);
        times.push(milliseconds);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    times.sort((a, b) => a - b);
    all[name] = { count: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  }
  return all;
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;

export function compared(without: Record<string, Latency>, withIt: Record<string, Latency>): string {
  const rows = Object.entries(without).map(([name, before]) => {
    const after = withIt[name]!;
    const ratio = (of: 'p50' | 'p99') => (after[of] / before[of]).toFixed(2);
    const times = (of: 'p50' | 'p99') =>
      `${of} ${after[of].toFixed(1)} ms beside ${before[of].toFixed(1)} ms (${ratio(of)})`;
    return `  ${name}, ${after.count} each: ${times('p50')}, ${times('p99')}`;
  });
  return ['one member frozen, beside the same reads before:', ...rows].join('\n');
}
