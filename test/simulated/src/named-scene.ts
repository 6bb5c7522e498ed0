/** Three members with objects of the same names and of their own, all cached, and what users' requests reach each member. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { KubeConfig } from '@kubernetes/client-node';
import { expect, vi } from 'vitest';
import { countAnswers } from './cached-differential/cached-answers.ts';
import { type FleetOptions, type SimulatedFleet, startFleet } from './fleet.ts';
import { grant } from './granting.ts';
import { endpoint, pod, register, widgets } from './registering.ts';
import { type Sent, send } from './send.ts';

export const memberNames = ['member1', 'member2', 'member3'];
export const shop = '/api/v1/namespaces/shop';
export const maps = `${shop}/configmaps`;
const settled = { timeout: 30_000, interval: 50 };

export interface NamedScene extends AsyncDisposable {
  fleet: SimulatedFleet;
  admin: KubeConfig;
  clientOf(member: string): KubeClient;
  /** What was sent to members as users while `work` was done, access reviews left out: `member1 GET /api/v1/…`. */
  askedWhile(work: () => Promise<unknown>): Promise<string[]>;
  /** How many access reviews members were sent while `work` was done. */
  reviewsWhile(work: () => Promise<unknown>): Promise<number>;
  /** At the aggregation endpoint, as the administrator. */
  get(path: string, headers?: Record<string, string>): Promise<Sent>;
}

export async function startNamedScene(options: Omit<FleetOptions, 'members'> = {}): Promise<NamedScene> {
  await using starting = new AsyncDisposableStack();
  const fleet = starting.use(await startFleet({ members: [], ...options }));
  const asked: string[] = [];
  let reviews = 0;
  await Promise.all(
    memberNames.map(async (name) => {
      const onRequest = ({ method, url, headers }: { method: string; url: string; headers: Headers }) => {
        if (headers['impersonate-user'] === undefined) return;
        if (url.includes('selfsubjectaccessreviews')) reviews++;
        else asked.push(`${name} ${method} ${url}`);
      };
      await furnish(name, (await fleet.add(name, { factor: 20, onRequest })).client);
    }),
  );
  await register(fleet.controlPlane, 'all', {
    resourceSelectors: [
      ...['ConfigMap', 'Pod', 'Namespace'].map((kind) => ({ apiVersion: 'v1', kind })),
      { apiVersion: 'apps/v1', kind: 'Deployment' },
      { apiVersion: 'example.dev/v1', kind: 'Widget' },
    ],
  });
  const admin = await fleet.config();
  await untilCached(admin);
  const running = starting.move();
  return {
    fleet,
    admin,
    clientOf: (member) => fleet.members.get(member)!.client,
    async askedWhile(work) {
      asked.length = 0;
      await work();
      return [...asked];
    },
    async reviewsWhile(work) {
      const before = reviews;
      await work();
      return reviews - before;
    },
    get: (path, headers = {}) => send(admin, { path: `${endpoint}${path}`, headers }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

type Headers = Record<string, string | string[] | undefined>;

async function furnish(name: string, client: KubeClient): Promise<void> {
  const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['list', 'watch'] }];
  await grant(client, 'cache', 'system:serviceaccount:fleet-system:fleet-control', everything);
  await client.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets);
  for (const namespace of ['shop', `of-${name}`])
    await client.create('/api/v1/namespaces', { metadata: { name: namespace } });
  for (const map of ['settings', `only-${name}`]) {
    await client.create(maps, {
      metadata: { name: map, labels: { of: name } },
      data: { from: name, text: 'ä <&> "\u2028' },
    });
  }
  await client.create(`${shop}/pods`, pod(`pod-${name}`));
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
  await client.create('/apis/apps/v1/namespaces/shop/deployments', {
    metadata: { name: `web-${name}` },
    spec: { replicas: 0, selector: { matchLabels: { app: 'web' } }, template },
  });
  await vi.waitFor(
    () =>
      client.create('/apis/example.dev/v1/namespaces/shop/widgets', {
        apiVersion: 'example.dev/v1',
        kind: 'Widget',
        metadata: { name: `widget-${name}`, annotations: { a: 'b' } },
        spec: { size: 'large' },
      }),
    settled,
  );
}

const lists = [
  '/api/v1/configmaps',
  '/api/v1/pods',
  '/api/v1/namespaces',
  '/apis/apps/v1/deployments',
  '/apis/example.dev/v1/widgets',
];

export async function untilCached(admin: KubeConfig, members = memberNames.length): Promise<void> {
  for (const path of lists) {
    await vi.waitFor(async () => {
      const before = await countAnswers(admin);
      await send(admin, { path: `${endpoint}${path}` });
      expect((await countAnswers(admin)).cached - before.cached).toBe(members);
    }, settled);
  }
}
