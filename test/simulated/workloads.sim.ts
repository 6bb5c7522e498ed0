/** Deployments, logs and commands by suffixed names, on simulated clusters that run pods. */

import { PassThrough, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AppsV1Api, CoreV1Api, Exec, type KubeConfig, Log, type V1Status } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';

let fleet: SimulatedFleet;
let admin: KubeConfig;
beforeAll(async () => {
  fleet = await startFleet({ members: [] });
  await Promise.all(['member1', 'member2'].map((name) => fleet.add(name, { factor: 20 })));
  admin = await fleet.config();
});
afterAll(() => fleet[Symbol.asyncDispose]());

const deployment = (name: string, replicas: number) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  },
});

const namespace = 'default';
const settled = { timeout: 30_000, interval: 50 };

async function readyPods(count: number): Promise<string[]> {
  const api = admin.makeApiClient(CoreV1Api);
  return vi.waitFor(async () => {
    const { items } = await api.listNamespacedPod({ namespace, labelSelector: 'app=web' });
    const ready = items.filter(({ status }) => status?.containerStatuses?.every((one) => one.ready));
    expect(ready.map(({ metadata }) => metadata!.name)).toHaveLength(count);
    return ready.map(({ metadata }) => metadata!.name!);
  }, settled);
}

describe('workloads on simulated clusters', () => {
  it('URL-1: a Deployment by suffixed name makes pods in its cluster alone; its scale changes them', async () => {
    const apps = admin.makeApiClient(AppsV1Api);
    const name = 'web.clusterspace.member2';
    await apps.createNamespacedDeployment({ namespace, body: deployment(name, 2) });
    for (const pod of await readyPods(2)) expect(pod).toMatch(/\.clusterspace\.member2$/);
    const scale = await apps.readNamespacedDeploymentScale({ namespace, name });
    // Whatever the controller has written about it meanwhile.
    delete scale.metadata!.resourceVersion;
    await apps.replaceNamespacedDeploymentScale({ namespace, name, body: { ...scale, spec: { replicas: 3 } } });
    await readyPods(3);
  });

  it('URL-13: logs of a pod by its suffixed name', async () => {
    const [pod] = await readyPods(3);
    const stream = new PassThrough();
    await new Log(admin).log(namespace, pod!, 'web', stream, { tailLines: 2 });
    expect((await text(stream)).trim().split('\n')).toHaveLength(2);
  });

  it('URL-13: a command runs in it, with its input, output and exit code', async () => {
    const [pod] = await readyPods(3);
    const written: Buffer[] = [];
    const stdout = new Writable({
      write(chunk: Buffer, _, done) {
        written.push(chunk);
        done();
      },
    });
    const { promise: status, resolve } = Promise.withResolvers<V1Status>();
    const command = ['sh', '-c', 'cat; hostname; exit 3'];
    const stdin = Readable.from([Buffer.from('from stdin\n')]);
    await new Exec(admin).exec(namespace, pod!, 'web', command, stdout, null, stdin, false, resolve);
    expect(await status).toMatchObject({
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    });
    expect(Buffer.concat(written).toString()).toBe(`from stdin\n${pod!.split('.clusterspace.')[0]}\n`);
  });

  it('LIST-7: deleting the Deployment by its plain name removes its pods', async () => {
    await admin.makeApiClient(AppsV1Api).deleteNamespacedDeployment({ namespace, name: 'web' });
    await readyPods(0);
  });
});
