import { expect, it, onTestFinished, vi } from 'vitest';
import type { Pod } from '../pods/pod.ts';
import { openCluster } from '../testing/open-cluster.ts';
import type { Node } from './node.ts';
import { type NodesOptions, startNodes } from './nodes.ts';

interface KubeEvent {
  involvedObject: { name: string };
  reason: string;
  count: number;
}

async function open(options: NodesOptions = { count: 2 }, factor = 1000) {
  const cluster = await openCluster(factor);
  const nodes = await startNodes(cluster.context, options);
  onTestFinished(async () => {
    await nodes[Symbol.asyncDispose]();
    expect(cluster.errors).toEqual([]);
  });
  return { ...cluster, nodes };
}

const isReady = (pod: Pod | undefined): boolean =>
  pod?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
const web = {
  containers: [{ name: 'web', image: 'nginx:1.29', imagePullPolicy: 'IfNotPresent' }],
  nodeName: 'test-node-1',
};

it('registers its nodes, Ready, of the version of the cluster, each with a lease', async () => {
  const { client } = await open({ count: 2, region: 'eu' });
  const { items } = await client.list<Node>('/api/v1/nodes');
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['test-node-1', 'test-node-2']);
  expect(items.map(({ spec }) => spec.taints)).toEqual([undefined, undefined]);
  expect(items[1]).toMatchObject({
    metadata: { labels: { 'kubernetes.io/hostname': 'test-node-2', 'topology.kubernetes.io/zone': 'eu-b' } },
    spec: { podCIDR: '10.244.1.0/24' },
    status: { nodeInfo: { kubeletVersion: 'v1.36.3' }, allocatable: { pods: '110' } },
  });
  await vi.waitFor(async () => {
    const leases = await client.list('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases');
    expect(leases.items).toHaveLength(2);
  });
});

it('leads a pod from ContainerCreating to Running, with the Events that people know', async () => {
  const { createPod, podThat, seen, eventsOf, nodes } = await open();
  await createPod('a', web);
  const pod = await podThat('a', isReady);
  expect(pod?.status).toMatchObject({
    phase: 'Running',
    hostIP: '172.18.0.2',
    podIP: '10.244.0.2',
    podIPs: [{ ip: '10.244.0.2' }],
    containerStatuses: [
      {
        name: 'web',
        ready: true,
        started: true,
        restartCount: 0,
        image: 'docker.io/library/nginx:1.29',
        state: { running: {} },
      },
    ],
  });
  expect(pod?.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
    'PodReadyToStartContainers=True',
    'Initialized=True',
    'Ready=True',
    'ContainersReady=True',
    'PodScheduled=True',
  ]);
  const waiting = seen.find(({ status }) => status?.containerStatuses);
  expect(waiting?.status?.containerStatuses?.[0]?.state).toEqual({ waiting: { reason: 'ContainerCreating' } });
  await vi.waitFor(async () => expect(await eventsOf('a')).toHaveLength(4));
  const events = await eventsOf('a');
  expect(events[0]).toBe('Normal Pulling Pulling image "nginx:1.29"');
  expect(events[1]).toMatch(
    /^Normal Pulled Successfully pulled image "nginx:1.29" in .* including waiting\)\. Image size: \d+ bytes\.$/,
  );
  expect(events.slice(2)).toEqual(['Normal Created Container created', 'Normal Started Container started']);
  expect(nodes.running(pod!.metadata.uid!)).toMatchObject({
    name: 'a',
    node: 'test-node-1',
    containers: [{ name: 'web', ready: true, current: { attempt: 0 }, previous: undefined, waiting: undefined }],
  });
});

it('finds an image on the node that another pod has pulled', async () => {
  const { createPod, podThat, eventsOf } = await open();
  await createPod('a', web);
  await podThat('a', isReady);
  await createPod('b', web);
  await podThat('b', isReady);
  await vi.waitFor(async () =>
    expect(await eventsOf('b')).toContain(
      'Normal Pulled Container image "nginx:1.29" already present on machine and can be accessed by the pod',
    ),
  );
});

it('stops what is deleted, reports how it ended, and then removes it', async () => {
  const { createPod, podThat, client, eventsOf, seen, nodes } = await open();
  await createPod('a', web);
  const { metadata } = (await podThat('a', isReady))!;
  const changes: (string | undefined)[] = [];
  using _ = nodes.observe(metadata.uid!, (pod) => changes.push(pod?.containers[0]?.current?.end?.reason ?? pod?.name));
  await client.delete('/api/v1/namespaces/default/pods/a');
  await podThat('a', (pod) => pod === undefined);
  expect(seen.at(-1)).toMatchObject({
    metadata: { deletionTimestamp: expect.any(String) },
    status: { phase: 'Succeeded' },
  });
  await vi.waitFor(async () => expect(await eventsOf('a')).toContain('Normal Killing Stopping container web'));
  await vi.waitFor(() => expect(changes).toEqual(expect.arrayContaining(['a', 'Completed', undefined])));
  expect(nodes.running(metadata.uid!)).toBeUndefined();
});

it('ends a container on request', async () => {
  const { createPod, podThat, nodes } = await open();
  const shell = { ...web.containers[0], command: ['sh'], stdin: true };
  await createPod('a', { ...web, restartPolicy: 'Never', containers: [shell] });
  const { metadata } = (await podThat('a', isReady))!;
  nodes.end(metadata.uid!, 'web', 4);
  const pod = await podThat('a', (one) => one?.status?.phase === 'Failed');
  expect(pod?.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 4, reason: 'Error' });
});

it('marks a node that is stopped, and evicts what does not tolerate that, until it is started again', async () => {
  const { createPod, podThat, client, nodes, context } = await open();
  const nodeInformer = context.informers!.of<Node>('/api/v1/nodes');
  const tolerations = [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists' }];
  await createPod('stays', { ...web, tolerations });
  await createPod('goes', {
    ...web,
    tolerations: [{ ...tolerations[0], effect: 'NoExecute', tolerationSeconds: 300 }],
  });
  await Promise.all(['stays', 'goes'].map((name) => podThat(name, isReady)));
  nodes.stopNode('test-node-1');
  const gone = await podThat('goes', (pod) => pod?.metadata.deletionTimestamp !== undefined);
  expect(gone?.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'DisruptionTarget', reason: 'DeletionByTaintManager' }),
  );
  expect(nodeInformer.get('test-node-1')).toMatchObject({
    spec: { taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }, { effect: 'NoExecute' }] },
  });
  expect(isReady(await podThat('stays', (pod) => !isReady(pod)))).toBe(false);
  // No kubelet ends it.
  expect((await client.get<Pod>('/api/v1/namespaces/default/pods/goes')).status?.phase).toBe('Running');
  await nodes.startNode('test-node-1');
  await podThat('goes', (pod) => pod === undefined);
  await podThat('stays', isReady);
  await vi.waitFor(() => expect(nodeInformer.get('test-node-1')?.spec.taints).toBeUndefined());
});

it('evicts a pod from a tainted node once', async () => {
  const { createPod, podThat, client, eventsOf } = await open();
  const names = Array.from({ length: 20 }, (_, index) => `pod-${index}`);
  await Promise.all(names.map((name) => createPod(name, web)));
  await Promise.all(names.map((name) => podThat(name, isReady)));
  const taints = [{ key: 'maintenance', effect: 'NoExecute' }];
  await client.patch('/api/v1/nodes/test-node-1', 'merge', { spec: { taints } });
  await Promise.all(names.map((name) => podThat(name, (pod) => pod === undefined)));
  for (const name of names) {
    const evicted = await vi.waitFor(async () => {
      const events = (await client.list<KubeEvent>('/api/v1/events')).items.filter(
        ({ involvedObject, reason }) => involvedObject.name === name && reason === 'TaintManagerEviction',
      );
      expect(events.length).toBeGreaterThan(0);
      return events;
    });
    expect(evicted.map(({ count }) => count)).toEqual([1]);
    expect(await eventsOf(name)).toContain(`Normal TaintManagerEviction Marking for deletion Pod default/${name}`);
  }
});

it('taints a cordoned node', async () => {
  const { client, context } = await open();
  const nodes = context.informers!.of<Node>('/api/v1/nodes');
  await client.patch('/api/v1/nodes/test-node-1', 'merge', { spec: { unschedulable: true } });
  const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  await vi.waitFor(() => expect(nodes.get('test-node-1')?.spec.taints).toMatchObject([taint]));
  await client.patch('/api/v1/nodes/test-node-1', 'merge', { spec: { unschedulable: null } });
  await vi.waitFor(() => expect(nodes.get('test-node-1')?.spec.taints).toBeUndefined());
});

it('adopts pods that ran before', async () => {
  const cluster = await openCluster();
  await using first = await startNodes(cluster.context, { count: 1 });
  await cluster.createPod('a', web);
  const before = await cluster.podThat('a', isReady);
  await first[Symbol.asyncDispose]();
  await using second = await startNodes(cluster.context, { count: 1 });
  await cluster.createPod('b', web);
  const other = await cluster.podThat('b', isReady);
  expect(other?.status?.podIP).not.toBe(before?.status?.podIP);
  const [container] = second.running(before!.metadata.uid!)!.containers;
  expect(container).toMatchObject({
    ready: true,
    current: { id: before?.status?.containerStatuses?.[0]?.containerID, attempt: 0 },
  });
  expect(cluster.errors).toEqual([]);
});

it('brings a command to its end', async () => {
  const { createPod, podThat } = await open();
  const job = (command: string[]) => ({
    ...web,
    restartPolicy: 'Never',
    containers: [{ ...web.containers[0], command }],
  });
  await createPod('good', job(['sh', '-c', 'echo hi && sleep 1']));
  await createPod('bad', job(['sh', '-c', 'sleep 1; exit 3']));
  const good = await podThat('good', (pod) => pod?.status?.phase === 'Succeeded');
  const bad = await podThat('bad', (pod) => pod?.status?.phase === 'Failed');
  expect(good?.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
  expect(bad?.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
  expect(good?.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ reason: 'PodCompleted' });
});

it('writes nothing of a pod to which nothing happens', async () => {
  const { createPod, podThat, client, seen, nodes } = await open();
  const probe = { httpGet: { path: '/', port: 80 }, periodSeconds: 1 };
  const resources = { requests: { cpu: '0.5', memory: '1024Mi' }, limits: { memory: '2Gi' } };
  const volumeMounts = [{ name: 'data', mountPath: '/data', readOnly: true }];
  const init = { name: 'init', image: 'busybox', command: ['true'], resources, volumeMounts };
  const rich = { ...web.containers[0], resources, volumeMounts, livenessProbe: probe, readinessProbe: probe };
  await createPod('a', {
    ...web,
    volumes: [{ name: 'data', emptyDir: {} }],
    initContainers: [init, { ...init, name: 'sidecar', command: ['sleep', 'inf'], restartPolicy: 'Always' }],
    containers: [rich, { ...rich, name: 'also' }],
    readinessGates: [{ conditionType: 'example.com/gate' }],
  });
  const waiting = await podThat('a', (pod) =>
    Boolean(pod?.status?.conditions?.some(({ reason }) => reason === 'ReadinessGatesNotReady')),
  );
  expect(nodes.running(waiting!.metadata.uid!)?.containers.every(({ ready }) => ready)).toBe(true);
  const condition = { type: 'example.com/gate', status: 'True' };
  await client.patch('/api/v1/namespaces/default/pods/a/status', 'strategic', { status: { conditions: [condition] } });
  const ready = await podThat('a', isReady);
  const count = seen.length;
  await createPod('b', web);
  await podThat('b', isReady);
  expect(seen.slice(count).filter(({ metadata }) => metadata.name === 'a')).toEqual([]);
  expect(ready?.status?.conditions).toContainEqual(expect.objectContaining(condition));
});

it('removes the pods of a node that was deleted', async () => {
  const { createPod, podThat, client, seen } = await open();
  await createPod('a', web);
  await podThat('a', isReady);
  await client.delete('/api/v1/nodes/test-node-1');
  await podThat('a', (pod) => pod === undefined);
  expect(seen.at(-1)?.status?.conditions).toContainEqual(expect.objectContaining({ reason: 'DeletionByPodGC' }));
});

it('waits for ConfigMaps and Secrets that are not there', async () => {
  const { createPod, podThat, client, eventsOf } = await open();
  const env = [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }];
  await createPod('variable', { ...web, containers: [{ ...web.containers[0], env }] });
  await createPod('mounted', { ...web, volumes: [{ name: 'keys', secret: { secretName: 'keys' } }] });
  const waiting = await podThat(
    'variable',
    (pod) => pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerConfigError',
  );
  expect(waiting?.status?.containerStatuses?.[0]?.state?.waiting?.message).toBe('configmap "settings" not found');
  await vi.waitFor(async () => {
    expect(await eventsOf('variable')).toContain('Warning Failed Error: configmap "settings" not found');
    expect(await eventsOf('mounted')).toContain(
      'Warning FailedMount MountVolume.SetUp failed for volume "keys" : secret "keys" not found',
    );
  });
  await client.create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'settings' }, data: { b: '' } });
  await podThat('variable', (pod) =>
    Boolean(pod?.status?.containerStatuses?.[0]?.state?.waiting?.message?.includes("couldn't find key a in ConfigMap")),
  );
  await client.patch('/api/v1/namespaces/default/configmaps/settings', 'merge', { data: { a: '' } });
  await client.create('/api/v1/namespaces/default/secrets', { metadata: { name: 'keys' } });
  await Promise.all(['variable', 'mounted'].map((name) => podThat(name, isReady)));
});
