import type { KubeObject } from '@fleet/client/kube-client.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startControllers } from './controllers/start-controllers.ts';
import { startNodes } from './nodes/nodes.ts';
import type { Pod } from './pods/pod.ts';
import { startScheduler } from './scheduler/scheduler.ts';
import { openCluster } from './testing/open-cluster.ts';

interface Workload extends KubeObject {
  status?: Record<string, unknown>;
}

it('controllers, scheduler and nodes bring workloads to life, and to their end', { timeout: 30_000 }, async () => {
  const { client, context, errors } = await openCluster(100);
  const parts = new AsyncDisposableStack();
  onTestFinished(async () => {
    await parts.disposeAsync();
    expect(errors).toEqual([]);
  });
  parts.use(await startNodes(context, { count: 3 }));
  parts.use(await startScheduler(context));
  parts.use(startControllers(context));

  const apps = '/apis/apps/v1/namespaces/default';
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  const of = (name: string) => ({ selector: { matchLabels: { app: name } } });
  const template = (name: string, spec: object = {}) => ({
    metadata: { labels: { app: name } },
    spec: { containers: [{ name: 'c', image: 'registry.example/app:1', ...spec }] },
  });
  const probe = { readinessProbe: { httpGet: { port: 80 } } };
  await client.create(`${apps}/deployments`, {
    metadata: { name: 'web' },
    spec: { replicas: 4, ...of('web'), template: template('web', probe) },
  });
  await client.create(`${apps}/daemonsets`, {
    metadata: { name: 'agent' },
    spec: { ...of('agent'), template: template('agent') },
  });
  const work = template('', { command: ['sleep', '3'] }).spec;
  await client.create(jobs, {
    metadata: { name: 'work' },
    spec: { completions: 2, template: { spec: { ...work, restartPolicy: 'Never' } } },
  });
  const status = async (path: string) => (await client.get<Workload>(path)).status;
  const until = (path: string, expected: object) =>
    vi.waitFor(async () => expect(await status(path)).toMatchObject(expected), { timeout: 20_000, interval: 100 });
  await until(`${apps}/deployments/web`, { readyReplicas: 4, availableReplicas: 4 });
  await until(`${apps}/daemonsets/agent`, { numberReady: 3 });
  await until(`${jobs}/work`, { succeeded: 2, conditions: [{}, { type: 'Complete' }] });

  const pods = async () => (await client.list<Pod>('/api/v1/namespaces/default/pods')).items;
  const agents = (await pods()).filter(({ metadata }) => metadata.labels?.['app'] === 'agent');
  expect(new Set(agents.map(({ spec }) => spec.nodeName)).size).toBe(3);
  const addresses = (await pods()).flatMap(({ status: one }) => (one?.phase === 'Running' ? [one.podIP] : []));
  expect(new Set(addresses).size).toBe(7);

  await client.delete(`${apps}/deployments/web`);
  await vi.waitFor(
    async () => expect((await pods()).filter(({ metadata }) => metadata.labels?.['app'] === 'web')).toEqual([]),
    { timeout: 20_000, interval: 100 },
  );
});
