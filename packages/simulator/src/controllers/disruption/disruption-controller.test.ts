import { expect, it } from 'vitest';
import { startTestCluster } from '../testing/cluster.ts';
import type { DisruptionBudget } from './disruption-budget.ts';

const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

const budget = (name: string, spec: object): object => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace: 'default' },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
});

const set = (replicas: number): object => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
  },
});

it('allows as many disruptions as the budget leaves', async () => {
  const cluster = await startTestCluster();
  const get = (name: string) => cluster.client.get<DisruptionBudget>(`${path}/${name}`);
  await cluster.client.create(path, budget('least', { minAvailable: 2 }));
  await cluster.client.create(path, budget('percent', { maxUnavailable: '50%' }));
  await cluster.eventually(async () =>
    expect((await get('least')).status).toMatchObject({ disruptionsAllowed: 0, expectedPods: 0, desiredHealthy: 2 }),
  );
  await cluster.client.create('/apis/apps/v1/namespaces/default/replicasets', set(5));
  await cluster.eventually(async () => {
    expect((await get('least')).status).toMatchObject({
      observedGeneration: 1,
      disruptionsAllowed: 3,
      currentHealthy: 5,
      desiredHealthy: 2,
      expectedPods: 5,
      conditions: [{ type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', message: '' }],
    });
    expect((await get('percent')).status).toMatchObject({ disruptionsAllowed: 3, desiredHealthy: 2, expectedPods: 5 });
  });
  expect(await cluster.events('least')).toEqual(['Normal NoPods No matching pods found']);
  expect(cluster.errors).toEqual([]);
});

it('names the selector of pods without a controller as Go prints it', async () => {
  const cluster = await startTestCluster();
  await cluster.client.create(path, budget('percent', { maxUnavailable: 1 }));
  await cluster.client.create('/api/v1/namespaces/default/pods', {
    metadata: { name: 'p', labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'web' }] },
  });
  const selector =
    '&LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}';
  await cluster.eventually(async () =>
    expect(await cluster.events('percent')).toContainEqual(expect.stringContaining(`(selector: ${selector}) were`)),
  );
});

it('allows none while pods have a controller without a scale', async () => {
  const cluster = await startTestCluster();
  await cluster.client.create(path, budget('percent', { maxUnavailable: 1 }));
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'u', controller: true };
  await cluster.client.create('/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    // The pod has a finalizer: its owner does not exist, so the garbage collector would delete it.
    metadata: { name: 'p', labels: { app: 'web' }, ownerReferences: [owner], finalizers: ['example.com/held'] },
    spec: { containers: [{ name: 'web', image: 'web' }] },
  });
  await cluster.eventually(async () => {
    const { status } = await cluster.client.get<DisruptionBudget>(`${path}/percent`);
    expect(status?.conditions).toMatchObject([
      { reason: 'SyncFailed', message: 'daemonsets.apps does not implement the scale subresource' },
    ]);
  });
});
