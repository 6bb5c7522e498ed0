/** Two members with webhooks, a control plane that lets all users reach them, and products that cache two kinds. */

import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { type Fleet, startFleet } from '@fleet/suites/fleet.ts';
import { apply, binding, reach, role } from '@fleet/suites/rbac.ts';
import { layObjects } from './objects.ts';
import { type Cluster, clusters, resources, userNames, userPrefix } from './questions.ts';
import { WebhookServer } from './webhook-server.ts';

/** How long each API server keeps what its webhook decided, in milliseconds: one not at all, one as short as is usual. */
export const webhookKept: Readonly<Record<Cluster, number>> = { 'webhook-first': 0, 'webhook-last': 1_000 };

export interface Scene extends AsyncDisposable {
  readonly fleet: Fleet<Cluster>;
  readonly webhooks: WebhookServer;
}

const aggregation = role('aggregation', {
  apiGroups: ['search.karmada.io'],
  resources: ['proxying/proxy'],
  verbs: ['*'],
});

const registry = {
  apiVersion: 'search.karmada.io/v1alpha1',
  kind: 'ResourceRegistry',
  metadata: { name: 'cached-permissions' },
  spec: { resourceSelectors: ['ConfigMap', 'Secret'].map((kind) => ({ apiVersion: 'v1', kind })) },
};

export async function startWebhookFleet(): Promise<Scene> {
  await using starting = new AsyncDisposableStack();
  const webhooks = starting.use(await WebhookServer.start());
  const memberWith = (cluster: Cluster, place: 'before' | 'behind') => ({
    version: 'newest' as const,
    nodes: 0,
    authorizationWebhook: {
      url: webhooks.url(cluster),
      ca: webhooks.ca,
      place,
      userPrefix,
      ...(webhookKept[cluster] > 0 ? { keptFor: `${webhookKept[cluster]}ms` } : {}),
    },
  });
  const fleet = starting.use(
    await startFleet({
      'webhook-first': memberWith('webhook-first', 'before'),
      'webhook-last': memberWith('webhook-last', 'behind'),
    }),
  );
  const { product, members, controlPlane } = fleet;
  for (const cluster of clusters) {
    await layObjects(members[cluster].api);
    await product.join(members[cluster], cluster, '--cache-kinds', resources.join());
  }
  const bindings = userNames.flatMap((name) =>
    ['reach', 'aggregation'].map((to) => binding(`${to}-${name}`, to, { kind: 'User', name })),
  );
  await apply(controlPlane, reach, aggregation, ...bindings, registry);
  // IMP-3: its webhook may deny what RBAC allows.
  const { code, stderr } = await controlPlane.kubectl(
    'annotate',
    'cluster',
    'webhook-first',
    'fleet.karmada.io/deny-authorizer=true',
  );
  if (code !== 0) throw new Error(stderr);
  const running = starting.move();
  return { fleet, webhooks, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Answers with the parts of members in them, by where those came from: `cached`, or why the member was asked. */
export async function countAnswers(product: Product): Promise<Record<string, number>> {
  const { body } = await product.api.ask('/metrics');
  const counted: Record<string, number> = {};
  for (const line of body.split('\n')) {
    const by = /^fleet_cache_answers_total\{.*by="([^"]*)"/.exec(line)?.[1];
    if (by !== undefined) counted[by] = (counted[by] ?? 0) + Number(line.split(' ').at(-1));
  }
  return counted;
}

export async function untilCached(product: Product): Promise<void> {
  for (const resource of resources)
    await until(`${resource} are cached`, async () => {
      const before = await countAnswers(product);
      await product.api.object(`/api/v1/${resource}`);
      const after = await countAnswers(product);
      return (after['cached'] ?? 0) >= (before['cached'] ?? 0) + clusters.length;
    });
}
