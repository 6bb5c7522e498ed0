/** RV-8: the versions of a merged view, from a list to a conflict, as in its documentation. */

import { showingAll } from '@fleet/bed/cached/everything.ts';
import type { Member } from '@fleet/bed/member.ts';
import type { Product } from '@fleet/bed/product.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Fleet } from '../fleet.ts';
import { versionMap } from '../paging.ts';
import { openWatch, type WatchEvent } from './open-watch.ts';

let fleet: Fleet<'member1' | 'member2'>;

const configMaps = '/api/v1/namespaces/default/configmaps';
const bodyOf = (name: string, round: number) => ({ metadata: { name }, data: { round: String(round) } });

const make = ({ api }: Member, name: string) => api.object(configMaps, { method: 'POST', body: bodyOf(name, 0) });
const change = ({ api }: Member, name: string, round: number) =>
  api.object(`${configMaps}/${name}`, { method: 'PUT', body: bodyOf(name, round) });
const remove = ({ api }: Member, name: string) => api.object(`${configMaps}/${name}`, { method: 'DELETE' });

const isChange = ({ type }: WatchEvent) => type !== 'BOOKMARK';
const bookmarks = (events: readonly WatchEvent[]) =>
  events.filter(({ type }) => type === 'BOOKMARK').map(({ object }) => object.metadata.resourceVersion);
const shown = ({ type, object: { metadata, data } }: WatchEvent) => `${type} ${metadata.name} ${data?.['round']}`;
/** In the order of each cluster: between clusters there is none. */
const inOrder = (events: readonly WatchEvent[], cluster: string) =>
  events
    .filter((event) => isChange(event) && event.object.metadata.name.endsWith(`.clusterspace.${cluster}`))
    .map(shown);

/** `x` stands before every name, so that it can be done again. */
async function example(product: Product, x: string): Promise<void> {
  const { member1, member2 } = fleet.members;
  await Promise.all([make(member1, `${x}a`), make(member2, `${x}a`)]);

  const list = await product.api.object<{ metadata: { resourceVersion: string }; items: WatchEvent['object'][] }>(
    `${configMaps}?${showingAll}`,
  );
  expect(Object.keys(versionMap(list.metadata.resourceVersion))).toEqual(['member1', 'member2']);
  const names = list.items.map(({ metadata }) => metadata.name);
  expect(names).toEqual(expect.arrayContaining([`${x}a.clusterspace.member1`, `${x}a.clusterspace.member2`]));

  const from = (version: string) =>
    openWatch(product, `${configMaps}?watch=true&allowWatchBookmarks=true&resourceVersion=${version}`);
  const first = await from(list.metadata.resourceVersion);
  await change(member1, `${x}a`, 1);
  await make(member2, `${x}b`);
  await first.until('both changes and a bookmark', (events) => {
    const last = events.at(-1);
    return events.filter(isChange).length === 2 && last?.type === 'BOOKMARK';
  });
  expect(inOrder(first.events, 'member1')).toEqual([`MODIFIED ${x}a.clusterspace.member1 1`]);
  expect(inOrder(first.events, 'member2')).toEqual([`ADDED ${x}b.clusterspace.member2 0`]);
  first.break();

  await change(member1, `${x}a`, 2);
  await make(member1, `${x}c`);
  await remove(member2, `${x}b`);
  await change(member2, `${x}a`, 2);
  await change(member1, `${x}a`, 3);

  const second = await from(bookmarks(first.events).at(-1)!);
  await make(member1, `${x}last`);
  await make(member2, `${x}last`);
  await second.until('all that was missed', (events) => events.filter(isChange).length >= 7);
  expect(inOrder(second.events, 'member1')).toEqual([
    `MODIFIED ${x}a.clusterspace.member1 2`,
    `ADDED ${x}c.clusterspace.member1 0`,
    `MODIFIED ${x}a.clusterspace.member1 3`,
    `ADDED ${x}last.clusterspace.member1 0`,
  ]);
  expect(inOrder(second.events, 'member2')).toEqual([
    `DELETED ${x}b.clusterspace.member2 0`,
    `MODIFIED ${x}a.clusterspace.member2 2`,
    `ADDED ${x}last.clusterspace.member2 0`,
  ]);

  const { object } = second.events.findLast(({ object }) => object.metadata.name === `${x}a.clusterspace.member1`)!;
  const write = () =>
    product.api.ask(`${configMaps}/${object.metadata.name}`, {
      method: 'PUT',
      body: { metadata: object.metadata, data: { round: 'by the view' } },
    });
  expect((await write()).code).toBe(200);
  const again = await write();
  expect({ code: again.code, reason: JSON.parse(again.body).reason }).toEqual({ code: 409, reason: 'Conflict' });
  second.break();
}

export function workedExample(running: () => typeof fleet): void {
  beforeAll(() => {
    fleet = running();
  });

  test('RV-8: list, watch, break, resume, write, conflict', () => example(fleet.product, ''));

  test('negative control: bookmarks that do not move make events come twice', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/watch/cluster-states.ts',
      from: 'positions.set(cluster, later(state.from, feedAt(cluster) ?? state.from))',
      to: 'positions.set(cluster, state.from)',
    });
    await expect(example(product, 'again-')).rejects.toThrow('to deeply equal');
  });
}
