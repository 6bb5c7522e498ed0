/** Logs, proxies and metrics of pods that nodes run, through the API server. */

import { privileged } from '@fleet/apiserver/authn/user.ts';
import { InProcessUpstream } from '@fleet/apiserver/http/in-process-upstream.ts';
import { openServer } from '@fleet/apiserver/testing/open-server.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { realClock } from './clock.ts';
import { createConnector } from './connector.ts';
import { Delays } from './delays.ts';
import { metricsResources } from './metrics/metrics-resources.ts';
import { type Nodes, startNodes } from './nodes/nodes.ts';
import type { StoredPod } from './pods/pod.ts';
import { TestSession } from './testing/sessions.ts';

const place = '/api/v1/namespaces/default';

async function open() {
  const onError = (error: unknown) => {
    throw error;
  };
  let nodes: Nodes | undefined;
  const upstream = new InProcessUpstream((request) => server.handler(request), privileged('test'));
  const client = new KubeClient(upstream);
  const pods = { name: 'test', client: () => client, nodes: () => nodes, onError };
  // The usage of a pod and of its node are compared.
  const still = { ...realClock, now: () => Date.parse('2030-01-01T00:00:00Z') };
  const connector = createConnector(pods);
  const opened = await openServer({
    connector,
    computed: metricsResources({ ...pods, clock: still }),
  });
  const { server, ask } = opened;
  const ending = new AbortController();
  const delays = new Delays({ factor: 1000 });
  const context = { name: 'test', version: 'v1.36.3', client, delays, signal: ending.signal, onError };
  const started = await startNodes(context, { count: 1 });
  nodes = started;
  onTestFinished(async () => {
    ending.abort();
    await started[Symbol.asyncDispose]();
  });
  const podThat = (name: string, test: (pod: StoredPod) => void) =>
    vi.waitFor(
      async () => {
        const pod = await client.get<StoredPod>(`${place}/pods/${name}`);
        test(pod);
        return pod;
      },
      // Generous, as the machine may be busy.
      { timeout: 15_000 },
    );
  const create = (name: string, container: object, spec: object = {}) =>
    client.create(`${place}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels: { app: name } },
      spec: { nodeName: 'test-node-1', containers: [{ name: 'main', ...container }], ...spec },
    });
  const textOf = async (path: string) => String((await ask('GET', path)).body['text']);
  const running = ({ status }: StoredPod) => expect(status?.containerStatuses?.[0]?.state?.running).toBeDefined();
  return { connector, ask, create, podThat, textOf, running, nodes: started };
}

test('a running pod has logs, a port and metrics, and so has its node', async () => {
  const { ask, create, podThat, textOf, running } = await open();
  await create('web', { image: 'nginx:1.29', ports: [{ containerPort: 80 }], resources: { limits: { cpu: '1' } } });
  const { status } = await podThat('web', running);
  await vi.waitFor(async () => expect(await textOf(`${place}/pods/web/log`)).toContain('start worker processes'));
  const answer = await textOf(`${place}/pods/web/proxy/cart`);
  expect(answer).toContain(`node:      test-node-1\naddress:   ${status!.podIP}:80\n`);
  const metrics = '/apis/metrics.k8s.io/v1beta1';
  // Usage varies: both must be of the same moment.
  await vi.waitFor(async () => {
    const pod = (await ask('GET', `${metrics}/namespaces/default/pods/web`)).body;
    const node = (await ask('GET', `${metrics}/nodes/test-node-1`)).body;
    expect(pod['containers']).toEqual([{ name: 'main', usage: node['usage'] }]);
  });
});

test('-f ends when the container does', async () => {
  const { create, podThat, textOf, running, nodes } = await open();
  await create(
    'once',
    { image: 'busybox', command: ['sh', '-c', 'echo hello; sleep infinity'] },
    { restartPolicy: 'Never' },
  );
  const { metadata } = await podThat('once', running);
  const whole = textOf(`${place}/pods/once/log?follow=true`);
  nodes.end(metadata.uid!, 'main', 3);
  expect(await whole).toBe('hello\n');
});

test('logs of a crashed container show its error, those of a waiting one that it waits', async () => {
  const { ask, create, podThat, textOf, nodes } = await open();
  await create('pay', { image: 'shop/payment:1', command: ['payment'] });
  await create('fetched', { image: 'registry.example/does-not-exist' });
  await podThat('fetched', ({ status }) =>
    expect(status?.containerStatuses?.[0]?.state?.waiting?.reason).toMatch(/^(Err)?ImagePull/),
  );
  // Between two attempts its reason is ContainerCreating again.
  await vi.waitFor(async () =>
    expect((await ask('GET', `${place}/pods/fetched/log`)).body).toMatchObject({
      code: 400,
      message: expect.stringMatching(
        /^container "main" in pod "fetched" is waiting to start: (image can't be pulled|trying)/,
      ),
    }),
  );
  const { metadata } = await podThat('pay', ({ status }) => expect(status?.containerStatuses?.[0]?.ready).toBe(true));
  nodes.end(metadata.uid!, 'main', 1);
  await podThat('pay', ({ status }) => expect(status?.containerStatuses?.[0]?.lastState?.terminated).toBeDefined());
  expect(await textOf(`${place}/pods/pay/log?previous=true&tailLines=1`)).toContain('PAYMENT_API_KEY is not set');
});

test('a command dies with its container, and a shell that is the main process ends it', async () => {
  const { connector, create, podThat, running } = await open();
  await create('shell', { image: 'busybox', stdin: true, tty: true });
  const pod = await podThat('shell', running);
  const client = new TestSession();
  const command = connector.exec(pod, client.session(['cat'], { container: 'main', stdin: client.stdin }));
  client.type('a\n');
  await client.until('a\n');
  const user = new TestSession();
  const shell = connector.attach(pod, user.session([], { container: 'main', stdin: user.stdin, tty: true }));
  await user.until('/ # ');
  user.type('exit 4\r');
  expect(await shell).toBe(4);
  expect(await command).toBe(137);
  await podThat('shell', ({ status }) =>
    expect(status?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({ exitCode: 4 }),
  );
});

test('metrics of a name that is none of a pod or a node read nothing else', async () => {
  const { create, podThat, running, ask } = await open();
  await create('web', { image: 'nginx' });
  await podThat('web', running);
  const metrics = '/apis/metrics.k8s.io/v1beta1';
  const pods = `${metrics}/namespaces/default/pods`;
  expect(await ask('GET', `${pods}/web%3Fpretty=true`)).toMatchObject({
    status: 404,
    body: { message: 'pods "web?pretty=true" not found' },
  });
  expect(await ask('GET', `${pods}/web%2Flog`)).toMatchObject({ status: 400 });
  const { status } = await ask('GET', `${metrics}/nodes/test-node-1%3Fpretty=true`);
  expect(status).toBe(404);
});
