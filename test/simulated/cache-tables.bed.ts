/** Tables of registered resources on simulated clusters, while their objects age (CACHE-13). */

import { type RequestOptions, request } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { grant } from './src/granting.ts';
import { register } from './src/registering.ts';
import { requestAs } from './src/request.ts';

const settled = { timeout: 30_000, interval: 50 };
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const shop = 'namespaces/shop';

const definition = (plural: string, kind: string, columns: readonly object[]) => ({
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, kind },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: columns,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

const dateColumn = (name: string, jsonPath: string, description?: string) => ({
  name,
  type: 'date',
  jsonPath,
  ...(description ? { description } : {}),
});

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'nginx' }] } };
const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();

let fleet: SimulatedFleet;
let admin: KubeConfig;
beforeAll(async () => {
  fleet = await startFleet({ members: ['member1', 'member2'] });
  admin = await fleet.config();
  for (const { client } of fleet.members.values()) {
    const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['list', 'watch'] }];
    await grant(client, 'cache', 'system:serviceaccount:fleet-system:fleet-control', everything);
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const age = dateColumn('Age', '.metadata.creationTimestamp', 'Since when there is one');
    await client.create(crds, definition('things', 'Thing', [dateColumn('When', '.spec.when'), age]));
    await client.create(crds, definition('others', 'Other', [dateColumn('When', '.spec.when', 'Some time')]));
    await client.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
    await client.create(`/apis/batch/v1/${shop}/jobs`, { metadata: { name: 'job' }, spec: { template } });
    await client.create(`/apis/batch/v1/${shop}/cronjobs`, {
      metadata: { name: 'cron' },
      spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: { template } } },
    });
    await client.create(`/api/v1/${shop}/events`, {
      metadata: { name: 'event' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'shop' },
      firstTimestamp: secondsAgo(700).replace(/\.\d+/, ''),
      lastTimestamp: secondsAgo(40).replace(/\.\d+/, ''),
      source: {},
    });
    // On no node: nobody else writes its status.
    const pod = { metadata: { name: 'pod' }, spec: { ...template.spec, nodeSelector: { on: 'none' } } };
    await client.create(`/api/v1/${shop}/pods`, pod);
    await client.patch(`/api/v1/${shop}/pods/pod/status`, 'merge', {
      status: {
        containerStatuses: [
          {
            name: 'c',
            image: 'nginx',
            imageID: '',
            ready: false,
            restartCount: 2,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { exitCode: 1, finishedAt: secondsAgo(50).replace(/\.\d+/, '') } },
          },
        ],
      },
    });
    for (const [resource, kind] of [
      ['things', 'Thing'],
      ['others', 'Other'],
    ]) {
      const object = { apiVersion: 'example.com/v1', kind, metadata: { name: 'x' }, spec: { when: secondsAgo(90) } };
      await vi.waitFor(() => client.create(`/apis/example.com/v1/${shop}/${resource}`, object), settled);
    }
  }
  await register(fleet.controlPlane, 'all', {
    resourceSelectors: [
      { apiVersion: 'v1', kind: 'Pod' },
      { apiVersion: 'v1', kind: 'Event' },
      { apiVersion: 'events.k8s.io/v1', kind: 'Event' },
      { apiVersion: 'batch/v1', kind: '*' },
      { apiVersion: 'example.com/v1', kind: '*' },
    ],
  });
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

interface Shown {
  columnDefinitions: unknown[];
  rows: { cells: unknown[]; object: unknown }[];
}

async function tableAt(path: string): Promise<Shown> {
  const { status, body } = await requestAs(admin, path, table);
  expect(status).toBe(200);
  const { columnDefinitions, rows } = body as Shown;
  return { columnDefinitions, rows };
}

/** How many members' parts of answers came from the cache so far. */
async function counted(): Promise<number> {
  const { body } = await requestAs(admin, '/metrics', {}, true);
  const lines = (body as string).split('\n').filter((line) => /^fleet_cache_answers_total\{.*by="cached"/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** How many members' parts of this one do. */
async function cachedAnswers(path: string, headers: Record<string, string>): Promise<number> {
  const before = await counted();
  await requestAs(admin, path, headers);
  return (await counted()) - before;
}

describe('CACHE-13: a cached Table is the members’ own at any moment', () => {
  it.each([
    ['pods', `/api/v1/${shop}/pods`, /^2 \(\d+s ago\)$/],
    ['Jobs', `/apis/batch/v1/${shop}/jobs`, /^\d+s$/],
    ['CronJobs', `/apis/batch/v1/${shop}/cronjobs`, /^\d+s$/],
    ['Events', `/api/v1/${shop}/events`, /^\d+[sm]/],
    ['Events of the newer group', `/apis/events.k8s.io/v1/${shop}/events`, /^\d+[sm]/],
    ['a custom resource', `/apis/example.com/v1/${shop}/things`, /^\d+s$/],
  ])('%s', async (_, path, isTime) => {
    const cached = `${path}?includeObject=Object`;
    await vi.waitFor(async () => expect(await cachedAnswers(cached, table)).toBe(2), settled);
    const first = await tableAt(cached);
    expect(first.rows.flatMap(({ cells }) => cells).some((cell) => isTime.test(String(cell)))).toBe(true);
    const expectAged = async () => {
      const [shown, live] = [await tableAt(cached), await tableAt(`${cached}&consistent=true`)];
      // A second may pass between the two.
      expect(shown).toEqual(live);
      expect(shown.rows.map(({ cells }) => cells)).not.toEqual(first.rows.map(({ cells }) => cells));
    };
    await vi.waitFor(expectAged, { timeout: 10_000, interval: 100 });
  });

  it('a date column of which nobody knows what it is of is read live', async () => {
    const path = `/apis/example.com/v1/${shop}/others`;
    await vi.waitFor(async () => expect(await cachedAnswers(path, {})).toBe(2), settled);
    expect(await cachedAnswers(path, table)).toBe(0);
    expect((await tableAt(path)).rows).toHaveLength(2);
  });

  it('WATCH-8: events of a watch in Table form are those of the members', async () => {
    const path = `/apis/example.com/v1/${shop}/things`;
    const { body } = await requestAs(admin, path);
    const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
    const before = await counted();
    await using cached = await watchTables(`${path}?watch=1&resourceVersion=${resourceVersion}`);
    expect((await counted()) - before).toBe(2);
    await using live = await watchTables(`${path}?watch=1&consistent=true&resourceVersion=${resourceVersion}`);
    const { client } = fleet.members.get('member2')!;
    const metadata = { name: 'watched' };
    const spec = { when: secondsAgo(3_600) };
    await client.create(path, { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec });
    await client.delete(`${path}/watched`);
    await vi.waitFor(() => expect(cached.events.length).toBeGreaterThanOrEqual(2), settled);
    await vi.waitFor(() => expect(live.events.length).toBeGreaterThanOrEqual(2), settled);
    expect(cached.events.slice(0, 2).map(withoutAges)).toEqual(live.events.slice(0, 2).map(withoutAges));
    expect(cached.events.map(({ type, object }) => [type, object.rows[0]!.cells])).toEqual([
      ['ADDED', ['watched.clusterspace.member2', '60m', expect.stringMatching(/^\ds$/)]],
      ['DELETED', ['watched.clusterspace.member2', '60m', expect.stringMatching(/^\ds$/)]],
    ]);
  });
});

interface TableEvent {
  type: string;
  object: Shown;
}

/** They may be sent in different seconds. */
const withoutAges = ({ type, object }: TableEvent) => ({
  type,
  columns: object.columnDefinitions,
  rows: object.rows.map(({ cells, object }) => ({ cells: cells.slice(0, 2), object })),
});

async function watchTables(path: string): Promise<AsyncDisposable & { events: TableEvent[] }> {
  const url = new URL(`${admin.getCurrentCluster()!.server}${path}`);
  const options: RequestOptions = { headers: table };
  await admin.applyToHTTPSOptions(options);
  let text = '';
  const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
  const sent = request(url, options, (response) => {
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    resolve();
  });
  sent.on('error', reject).end();
  await begun;
  return {
    get events() {
      const lines = text.split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as TableEvent);
    },
    [Symbol.asyncDispose]: async () => void sent.destroy(),
  };
}
