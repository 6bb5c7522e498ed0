/** Events at a steady rate: ConfigMaps of members that are changed in turn, each change marked with its number. */

import type { Member } from '@fleet/bed/member.ts';

const configMaps = '/api/v1/namespaces/load/configmaps';

/** Where events are made. */
export type Source = Pick<Member, 'name' | 'api'>;

/** The path of a watch of all that happens from now on, at a member or over all. */
export async function watchedFromNow({ api }: Pick<Member, 'api'>): Promise<string> {
  const { metadata } = await api.object<{ metadata: { resourceVersion: string } }>(`${configMaps}?limit=500`);
  const version = encodeURIComponent(metadata.resourceVersion);
  return `${configMaps}?watch=true&allowWatchBookmarks=true&resourceVersion=${version}`;
}

/** ConfigMaps of each member: so many changes may be under way at once. */
const lanes = 8;
const text = 'x'.repeat(1_024);
const mergePatch = 'application/merge-patch+json';

export async function prepareEvents(members: readonly Source[]): Promise<void> {
  for (const { api } of members) {
    await api.object('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'load' } } });
    for (let lane = 0; lane < lanes; lane++) {
      const body = { metadata: { name: `load-${lane}` }, data: { text } };
      await api.object(configMaps, { method: 'POST', body });
    }
  }
}

export interface Made {
  /** Events of each member. */
  counts: Record<string, number>;
  seconds: number;
}

let number = 0;

/** So many a second of all members together, as far as they keep up; all are made when this returns. */
export async function makeEvents(members: readonly Source[], perSecond: number, seconds: number): Promise<Made> {
  const counts = Object.fromEntries(members.map(({ name }) => [name, 0]));
  const start = performance.now();
  const total = perSecond * seconds;
  let next = 0;
  const change = async (lane: number): Promise<void> => {
    while (next < total) {
      const turn = next++;
      const member = members[turn % members.length]!;
      await due(start + (turn * 1_000) / perSecond);
      const mark = `${member.name}/${lane}/${number++}`;
      const path = `${configMaps}/load-${lane}`;
      const body = { data: { mark } };
      await member.api.object(path, { method: 'PATCH', contentType: mergePatch, body, timeout: 60_000 });
      counts[member.name]!++;
    }
  };
  await Promise.all(Array.from({ length: lanes * members.length }, (_, index) => change(index % lanes)));
  return { counts, seconds: (performance.now() - start) / 1_000 };
}

const due = (at: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
