/** Events at a steady rate: ConfigMaps of members that are changed in turn, each change marked with its number. */

import { randomUUID } from 'node:crypto';
import { writeObject } from '@fleet/bed/etcd.ts';
import type { Member } from '@fleet/bed/member.ts';

const configMaps = '/api/v1/namespaces/load/configmaps';

/** Where events are made; with its etcd's folder they are made there. */
export type Source = Pick<Member, 'name' | 'api'> & Partial<Pick<Member, 'dir'>>;

/** The path of a watch of all that happens from now on, at a member or over all. */
export async function watchedFromNow({ api }: Pick<Member, 'api'>): Promise<string> {
  const { metadata } = await api.object<{ metadata: { resourceVersion: string } }>(`${configMaps}?limit=500`);
  const version = encodeURIComponent(metadata.resourceVersion);
  return `${configMaps}?watch=true&allowWatchBookmarks=true&resourceVersion=${version}`;
}

/** ConfigMaps of each member: so many changes may be under way at once. */
const lanes = 8;
const text = 'x'.repeat(1_024);
const uids = Array.from({ length: lanes }, () => randomUUID());

async function change({ api, dir }: Source, lane: number, mark: string): Promise<void> {
  const name = `load-${lane}`;
  if (dir) {
    const metadata = { name, namespace: 'load', uid: uids[lane], creationTimestamp: '2026-01-01T00:00:00Z' };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text, mark } };
    await writeObject(dir, `configmaps/load/${name}`, object);
    return;
  }
  const contentType = 'application/merge-patch+json';
  await api.object(`${configMaps}/${name}`, {
    method: 'PATCH',
    contentType,
    body: { data: { mark } },
    timeout: 60_000,
  });
}

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
  const changes = async (lane: number): Promise<void> => {
    while (next < total) {
      const turn = next++;
      const member = members[turn % members.length]!;
      await due(start + (turn * 1_000) / perSecond);
      const mark = `${member.name}/${lane}/${number++}`;
      await change(member, lane, mark);
      counts[member.name]!++;
    }
  };
  await Promise.all(Array.from({ length: lanes * members.length }, (_, index) => changes(index % lanes)));
  return { counts, seconds: (performance.now() - start) / 1_000 };
}

const due = (at: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
