/**
 * The steps of Kubernetes' own tests "Watchers" and "API Streaming" over all clusters at once: names with their cluster, and
 * where they begin at an object's version, the version of a list (RV-6: a plain one is known only to whoever was sent it).
 */

import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Fleet } from '../fleet.ts';
import { Watching } from '../watching.ts';

const timeout = 60_000;
const at = '/clusterspaces/all';
/** Of their own: what they leave does not disturb others. */
const configMaps = '/api/v1/namespaces/watchers/configmaps';
const members = ['member1', 'member2'] as const;
type Name = (typeof members)[number];

let fleet: Fleet<Name>;
const open: Watching[] = [];

interface Made {
  metadata: { name: string; resourceVersion: string };
}

const suffixed = (name: string, cluster: Name) => `${name}.clusterspace.${cluster}`;

/** Through the product, by suffixed names. */
const create = (name: string, cluster: Name, label: string) =>
  fleet.product.api.object<Made>(at + configMaps, {
    method: 'POST',
    body: { metadata: { name: suffixed(name, cluster), labels: { watched: label } } },
  });

const patch = (name: string, cluster: Name, body: unknown) =>
  fleet.product.api.object<Made>(`${at}${configMaps}/${suffixed(name, cluster)}`, {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body,
  });

const mutate = (name: string, cluster: Name, mutation: string) => patch(name, cluster, { data: { mutation } });
const relabel = (name: string, cluster: Name, watched: string) =>
  patch(name, cluster, { metadata: { labels: { watched } } });
const remove = (name: string, cluster: Name) =>
  fleet.product.api.object(`${at}${configMaps}/${suffixed(name, cluster)}`, { method: 'DELETE' });

async function watch(labels: readonly string[], version = '', more = ''): Promise<Watching> {
  const selector = encodeURIComponent(`watched in (${labels.join(',')})`);
  const query = `watch=true&labelSelector=${selector}${version ? `&resourceVersion=${version}` : ''}${more}`;
  const watching = await Watching.open(fleet.product, `${at}${configMaps}?${query}`);
  open.push(watching);
  return watching;
}

const listVersion = async () => (await fleet.product.api.object<Made>(at + configMaps)).metadata.resourceVersion;

/** Just these, in this order. */
async function receives(watching: Watching, ...expected: string[]): Promise<void> {
  await watching.until(expected.join(), ({ events }) => events.length >= expected.length);
  expect(watching.received).toEqual(expected);
}

export function upstreamWatchers(running: () => typeof fleet): void {
  beforeAll(async () => {
    fleet = running();
    const body = { metadata: { name: 'watchers' } };
    for (const member of members)
      await fleet.members[member].api.object('/api/v1/namespaces', { method: 'POST', body });
  });

  afterEach(() => {
    for (const watching of open.splice(0)) watching.close();
  });

  describe.each(members)('Watchers, in %s', (cluster) => {
    const named = (name: string) => suffixed(name, cluster);

    test('observe add, update, and delete watch notifications on configmaps', { timeout }, async () => {
      const [a, b, both] = [await watch(['a']), await watch(['b']), await watch(['a', 'b'])];
      await create('of-a', cluster, 'a');
      await mutate('of-a', cluster, '1');
      await mutate('of-a', cluster, '2');
      await remove('of-a', cluster);
      const ofA = [`ADDED ${named('of-a')}`, ...Array(2).fill(`MODIFIED ${named('of-a')}`), `DELETED ${named('of-a')}`];
      await receives(a, ...ofA);
      await create('of-b', cluster, 'b');
      await remove('of-b', cluster);
      const ofB = [`ADDED ${named('of-b')}`, `DELETED ${named('of-b')}`];
      await receives(b, ...ofB);
      await receives(both, ...ofA, ...ofB);
      expect(a.received).toEqual(ofA);
    });

    test('start watching from a specific version', { timeout }, async () => {
      await create('versioned', cluster, 'versioned');
      await mutate('versioned', cluster, '1');
      const version = await listVersion();
      const { metadata } = await mutate('versioned', cluster, '2');
      await remove('versioned', cluster);
      const watching = await watch(['versioned'], version);
      await receives(watching, `MODIFIED ${named('versioned')}`, `DELETED ${named('versioned')}`);
      expect(watching.events[0]?.object.metadata?.resourceVersion).toBe(metadata.resourceVersion);
    });

    test('restart watching from the last resource version observed by the previous watch', { timeout }, async () => {
      // Of its own: a version is a position only among watches of the same objects.
      const label = `restarted-${cluster}`;
      const broken = await watch([label]);
      await create('restarted', cluster, label);
      await mutate('restarted', cluster, '1');
      await receives(broken, `ADDED ${named('restarted')}`, `MODIFIED ${named('restarted')}`);
      const last = broken.events.at(-1)?.object.metadata?.resourceVersion;
      broken.close();
      await mutate('restarted', cluster, '2');
      const restarted = await watch([label], last);
      await remove('restarted', cluster);
      await receives(restarted, `MODIFIED ${named('restarted')}`, `DELETED ${named('restarted')}`);
    });

    test('observe an object deletion if it stops meeting the requirements of the selector', { timeout }, async () => {
      const watching = await watch(['before']);
      await create('changing', cluster, 'before');
      await mutate('changing', cluster, '1');
      await relabel('changing', cluster, 'after');
      await mutate('changing', cluster, '2');
      await relabel('changing', cluster, 'before');
      await mutate('changing', cluster, '3');
      await remove('changing', cluster);
      const once = [`ADDED ${named('changing')}`, `MODIFIED ${named('changing')}`, `DELETED ${named('changing')}`];
      await receives(watching, ...once, ...once);
    });
  });

  test('Watchers receive events on concurrent watches in same order', { timeout }, async () => {
    const version = await listVersion();
    const first = await watch(['ordered'], version);
    for (let round = 0; round < 10; round++) {
      for (const cluster of members) await create(`ordered-${round}`, cluster, 'ordered');
    }
    await first.until('all', ({ events }) => events.length === 20);
    const versions = ({ events }: Watching) => events.map(({ object }) => object.metadata?.resourceVersion);
    const others = await Promise.all(Array.from({ length: 5 }, () => watch(['ordered'], version)));
    for (const other of others) {
      await other.until('all', ({ events }) => events.length === 20);
      expect(versions(other)).toEqual(versions(first));
    }
  });

  describe('API Streaming (aka. WatchList)', () => {
    const streaming = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

    test('what there is, its end, and what is changed then', { timeout }, async () => {
      const expected: string[] = [];
      for (const cluster of members) {
        for (let index = 1; index <= 5; index++) {
          const { metadata } = await create(`streamed-${index}`, cluster, 'streamed');
          expected.push(`ADDED ${metadata.name}`);
        }
      }
      const watching = await watch(['streamed'], '', streaming);
      await watching.until('the end of what there is', ({ bookmarks }) => bookmarks.length > 0);
      expect(watching.lines.at(-1)?.object.metadata?.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
      expect(watching.received.toSorted()).toEqual(expected.toSorted());
      await mutate('streamed-1', 'member2', '1');
      await watching.until('the change', ({ received: all }) =>
        all.includes(`MODIFIED ${suffixed('streamed-1', 'member2')}`),
      );
      const ends = watching.bookmarks.filter(({ object }) => object.metadata?.annotations);
      expect(ends).toHaveLength(1);
    });
  });
}
