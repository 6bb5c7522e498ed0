/** One watch over all clusters, on real members: raw HTTP and WebSocket, through faults (WATCH-1 to WATCH-10). */

import { once } from 'node:events';
import { isCached, showingAll } from '@fleet/bed/cached/everything.ts';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { Agent, WebSocket } from 'undici';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ConfigMaps, configMaps } from '../config-maps.ts';
import type { Fleet } from '../fleet.ts';
import { entriesOf, type Line, Watching } from '../watching.ts';

const timeout = 90_000;
const star = '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const metadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const watchList = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

let fleet: Fleet<'member1' | 'member2'>;
let written: ConfigMaps<'member1' | 'member2'>;
let product: Product;
const open: Watching[] = [];

async function watch(path: string, accept?: string): Promise<Watching> {
  const watching = await Watching.open(product, path, accept);
  open.push(watching);
  return watching;
}

async function listVersion(path = configMaps): Promise<string> {
  const { metadata } = await product.api.object<{ metadata: { resourceVersion: string } }>(`${path}?${showingAll}`);
  return metadata.resourceVersion;
}

/** Everything of default, from now on. */
const watchNow = async (query = '', accept?: string, at = '') =>
  watch(
    `${at}${configMaps}?watch=true&allowWatchBookmarks=true&resourceVersion=${await listVersion(at + configMaps)}${query}`,
    accept,
  );

export function watchesOverHttp(running: () => typeof fleet): void {
  beforeAll(() => {
    fleet = running();
    product = fleet.product;
    written = new ConfigMaps(fleet.members);
  });

  afterEach(() => {
    for (const watching of open.splice(0)) watching.close();
  });

  describe.each(['', '/clusterspaces/all'])('at "%s"', (at) => {
    test('WATCH-1 RV-3: events of every member, names with their cluster, bytes else the members own', {
      timeout,
    }, async () => {
      const watching = await watchNow('', undefined, at);
      const name = `one-${at === '' ? 'vanilla' : 'all'}`;
      const made = await written.put('member1', name);
      await written.put('member2', name);
      await written.change('member2', name);
      await written.remove('member1', name);
      await watching.until('four events', ({ events }) => events.length >= 4);
      expect(watching.received.toSorted()).toEqual([
        `ADDED ${name}.clusterspace.member1`,
        `ADDED ${name}.clusterspace.member2`,
        `DELETED ${name}.clusterspace.member1`,
        `MODIFIED ${name}.clusterspace.member2`,
      ]);
      const first = watching.events.find(({ object }) => object.metadata?.name?.endsWith('member1'));
      expect(first?.object.metadata?.resourceVersion).toBe(made.metadata.resourceVersion);
      expect(first?.object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
      await written.remove('member2', name);
    });

    test('WATCH-2: bookmarks of the watched kind with the map, after events', { timeout }, async () => {
      const watching = await watchNow('', undefined, at);
      const name = `bookmarked-${at === '' ? 'vanilla' : 'all'}`;
      const { metadata: made } = await written.put('member1', name);
      await watching.until('a bookmark', ({ bookmarks }) => bookmarks.length > 0);
      const { object } = watching.bookmarks.at(-1)!;
      expect(object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
      expect(entriesOf(object.metadata?.resourceVersion)).toEqual({
        member1: made.resourceVersion,
        member2: expect.stringMatching(/^\d+$/),
      });
      await written.remove('member1', name);
    });

    test('WATCH-3: initial events, then one bookmark that ends them', { timeout }, async () => {
      const watching = await watch(`${at}/api/v1/namespaces?${watchList}`);
      await watching.until('the end of what there is', ({ bookmarks }) => bookmarks.length > 0);
      const end = watching.lines.findIndex(({ type }) => type === 'BOOKMARK');
      expect(watching.lines[end]?.object.metadata?.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
      const listed = await product.api.object<{ items: { metadata: { name: string } }[] }>(`${at}/api/v1/namespaces`);
      expect(watching.received.slice(0, end).toSorted()).toEqual(
        listed.items.map(({ metadata }) => `ADDED ${metadata.name}`).toSorted(),
      );
    });
  });

  describe('WATCH-8: forms and selectors', () => {
    test('a selection that an object comes into and leaves', { timeout }, async () => {
      const watching = await watchNow('&labelSelector=picked%3Dyes');
      await written.put('member1', 'picked', { picked: 'no' });
      await written.change('member1', 'picked', { metadata: { labels: { picked: 'yes' } } });
      await written.change('member1', 'picked', { metadata: { labels: { picked: 'no' } } });
      await watching.until('two events', ({ events }) => events.length >= 2);
      expect(watching.received).toEqual(['ADDED picked.clusterspace.member1', 'DELETED picked.clusterspace.member1']);
      await written.remove('member1', 'picked');
    });

    test('Tables: columns with the first, names in cells with their cluster', { timeout }, async () => {
      const watching = await watchNow('', table);
      await written.put('member1', 'tabled');
      await watching.until('one', ({ events }) => events.length === 1);
      await written.put('member2', 'tabled');
      await watching.until('both', ({ events }) => events.length === 2);
      const [first, second] = watching.events.map(({ object }) => object);
      expect(first?.columnDefinitions?.map(({ name }) => name)).toEqual(['Name', 'Data', 'Age']);
      expect(second?.columnDefinitions).toBeNull();
      expect([first, second].map((object) => object?.rows?.[0]?.cells[0])).toEqual([
        'tabled.clusterspace.member1',
        'tabled.clusterspace.member2',
      ]);
      await written.remove('member1', 'tabled');
      await written.remove('member2', 'tabled');
    });

    test('metadata alone', { timeout }, async () => {
      const watching = await watchNow('', metadata);
      await written.put('member2', 'meta');
      await watching.until('one', ({ events }) => events.length === 1);
      expect(watching.events[0]?.object).toMatchObject({
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { name: 'meta.clusterspace.member2' },
      });
      await watching.until('a bookmark', ({ bookmarks }) => bookmarks.length > 0);
      expect(watching.bookmarks[0]?.object.kind).toBe('PartialObjectMetadata');
      await written.remove('member2', 'meta');
    });
  });

  describe('WATCH-10: plain names', () => {
    test('all objects of one name, each with its cluster, and a word for informers', { timeout }, async () => {
      const watching = await watchNow('', undefined, star);
      await written.put('member1', 'same');
      await written.put('member2', 'same');
      await watching.until('both', ({ events }) => events.length === 2);
      expect(watching.received).toEqual(['ADDED same', 'ADDED same']);
      const clusters = watching.events.map(({ object }) => object.metadata?.annotations?.['cluster.karmada.io/name']);
      expect(clusters.toSorted()).toEqual(['member1', 'member2']);
      expect(watching.headers['warning']).toContain('informers should use the vanilla API');
      await written.remove('member1', 'same');
      await written.remove('member2', 'same');
    });
  });

  describe('WATCH-9: WebSocket', () => {
    async function openSocket(at: string) {
      const version = await listVersion(at + configMaps);
      const url = `${product.server.replace('https', 'wss')}${at}${configMaps}?watch=true&resourceVersion=${version}`;
      const messages: Line[] = [];
      const { ca, admin } = product;
      // As browsers send it; kube-apiserver refuses who does not.
      const headers = { origin: 'https://console.example' };
      const socket = new WebSocket(url, { headers, dispatcher: new Agent({ connect: { ca, ...admin } }) });
      socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data)) as Line));
      await once(socket, 'open');
      return { socket, messages };
    }

    test('of the control plane alone', { timeout }, async () => {
      const { socket, messages } = await openSocket('/clusterspaces/karmada');
      const body = { metadata: { name: 'socket' } };
      await fleet.controlPlane.api.object(configMaps, { method: 'POST', body });
      await until('a message', () => messages.length > 0);
      expect(messages[0]).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'socket' } } });
      socket.close();
    });

    test.each(['', '/clusterspaces/all', star])('at "%s": a message for every event', { timeout }, async (at) => {
      const { socket, messages } = await openSocket(at);
      await written.put('member2', 'socket');
      await until('a message', () => messages.length > 0);
      expect(messages[0]?.type).toBe('ADDED');
      expect(messages[0]?.object.metadata?.name).toMatch(/^socket/);
      socket.close();
      await written.remove('member2', 'socket');
    });
  });

  describe('WATCH-5, WATCH-6: faults', () => {
    test('objects of a member that is cut off are not reported as deleted, and its watch resumes', {
      timeout,
    }, async () => {
      await written.put('member1', 'lasting');
      const watching = await watchNow();
      await fleet.members.member1.faults.proxy.refuse();
      await written.change('member1', 'lasting');
      await written.put('member2', 'other');
      await watching.until('the other', ({ received }) => received.includes('ADDED other.clusterspace.member2'));
      expect(watching.received).toEqual(['ADDED other.clusterspace.member2']);
      await fleet.members.member1.faults.proxy.heal();
      await watching.until('what happened meanwhile', ({ received }) => received.length === 2);
      expect(watching.received.at(-1)).toBe('MODIFIED lasting.clusterspace.member1');
      await written.remove('member1', 'lasting');
      await written.remove('member2', 'other');
    });

    test('one that has lost its history when it is back ends the stream with 410', { timeout }, async () => {
      // The cache still has what the member forgets.
      const watching = await watchNow(isCached ? '&consistent=true' : '');
      await written.moveOn('member1');
      await fleet.members.member1.faults.forget();
      await watching.until('the end', ({ ended }) => ended);
      expect(watching.lines.at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
      expect(watching.received).not.toContainEqual(expect.stringMatching(/^DELETED/));
    });
  });
}
