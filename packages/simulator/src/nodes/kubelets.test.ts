import { EventRecorder } from '@fleet/client/event-recorder.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import type { Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import { expect, it, onTestFinished } from 'vitest';
import type { Pod } from '../pods/pod.ts';
import { openCluster, type TestCluster } from '../testing/open-cluster.ts';
import { type KubeletState, Kubelets } from './kubelets.ts';
import { PodAddresses } from './pod-addresses.ts';

const host = (): KubeletState => ({
  name: 'n',
  address: '172.18.0.2',
  addresses: new PodAddresses(0, 110),
  images: new Set(),
  files: new Set(),
  isStopped: false,
});

/** All addresses of a block. */
const all = 253;

async function start(cluster: TestCluster, node: KubeletState, client = cluster.client): Promise<void> {
  const { context } = cluster;
  const pods = context.informers!.of<Pod>('/api/v1/pods');
  await pods.synced;
  const recorder = new EventRecorder({ client, component: 'kubelet', onError: context.onError });
  const kubelets = new Kubelets({ context: { ...context, client }, pods, hosts: new Map([['n', node]]), recorder });
  onTestFinished(async () => {
    await kubelets[Symbol.asyncDispose]();
    await recorder[Symbol.asyncDispose]();
  });
}

const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'nginx:1' }] };
const ending = {
  nodeName: 'n',
  restartPolicy: 'Never',
  containers: [{ name: 'c', image: 'busybox', command: ['true'] }],
};
const path = '/api/v1/namespaces/default/pods';
const addressOf = ({ status }: Pod): string | undefined => status?.podIP;
/** Seen by the kubelets, too. */
async function untilGone({ context }: TestCluster, name: string): Promise<void> {
  const pods = context.informers!.of<Pod>('/api/v1/pods');
  await pods.until(() => !pods.get(`default/${name}`), context.signal);
}

const freeIn = ({ addresses }: KubeletState): number => {
  for (let count = 0; ; count += 1) {
    try {
      addresses.allocate('rest');
    } catch {
      return count;
    }
  }
};

it('an address that was free when a pod ended, and that another pod has since, is not free when the first one goes', async () => {
  const cluster = await openCluster();
  const node = host();
  for (let count = 1; count < all; count += 1) node.addresses.allocate('other');
  await start(cluster, node);
  await cluster.createPod('a', ending);
  const first = (await cluster.podThat('a', (pod) => pod?.status?.phase === 'Succeeded'))!;
  await cluster.createPod('b', spec);
  const second = (await cluster.podThat('b', (pod) => pod?.status?.phase === 'Running'))!;
  expect(addressOf(second)).toBe(addressOf(first));
  await cluster.client.delete(`${path}/a`);
  await untilGone(cluster, 'a');
  expect(freeIn(node)).toBe(0);
});

it('pods that ran before keep their addresses, whichever is looked at first', async () => {
  const cluster = await openCluster();
  const now = timeText(Date.now());
  const fresh = Array.from({ length: 40 }, (_, index) => `a${index}`);
  for (const name of [...fresh, 'z']) await cluster.createPod(name, spec);
  await cluster.client.patch(`${path}/z/status`, 'merge', {
    status: {
      phase: 'Running',
      startTime: now,
      podIP: '10.244.0.2',
      podIPs: [{ ip: '10.244.0.2' }],
      containerStatuses: [
        {
          name: 'c',
          image: 'nginx:1',
          imageID: '',
          ready: true,
          restartCount: 0,
          containerID: 'containerd://1',
          state: { running: { startedAt: now } },
        },
      ],
    },
  });
  await cluster.podThat('z', (pod) => pod?.status?.podIP !== undefined);
  const node = host();
  await start(cluster, node);
  for (const name of fresh) {
    const pod = (await cluster.podThat(name, (one) => one?.status?.phase === 'Running'))!;
    expect(addressOf(pod)).not.toBe('10.244.0.2');
  }
  await cluster.client.delete(`${path}/z`, { gracePeriodSeconds: 0 });
  await untilGone(cluster, 'z');
  expect(freeIn(node)).toBe(all - fresh.length);
});

it('a pod that goes while what it refers to is looked up takes no address', async () => {
  const cluster = await openCluster();
  const node = host();
  const asked = Promise.withResolvers<void>();
  const answering = Promise.withResolvers<void>();
  const { upstream } = cluster.client;
  const slow = {
    async call(call: UpstreamCall) {
      if (call.path.includes('/configmaps/')) {
        asked.resolve();
        await answering.promise;
      }
      return upstream.call(call);
    },
  };
  await start(cluster, node, new KubeClient(slow as unknown as Upstream));
  await cluster.client.create('/api/v1/namespaces/default/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'm' },
  });
  await cluster.createPod('a', { ...spec, volumes: [{ name: 'v', configMap: { name: 'm' } }] });
  await asked.promise;
  await cluster.client.delete(`${path}/a`, { gracePeriodSeconds: 0 });
  await untilGone(cluster, 'a');
  answering.resolve();
  // One after the other: earlier work is done when the next one runs.
  await cluster.createPod('b', spec);
  await cluster.podThat('b', (pod) => pod?.status?.phase === 'Running');
  expect(cluster.errors).toEqual([]);
  expect(freeIn(node)).toBe(all - 1);
});
