import type { LogOptions } from '@fleet/apiserver/connect/connector.ts';
import { expect, test } from 'vitest';
import type { ContainerInstance, RunningPod } from '../nodes/running-pod.ts';
import type { Pod } from '../pods/pod.ts';
import { runningPod, startedAt, TestClock, TestNodes, terminated } from '../testing/pods.ts';
import { readLog } from './read-log.ts';

const plain: LogOptions = { container: 'app', follow: false, previous: false, timestamps: false, stream: 'All' };
const never = new AbortController().signal;
const later = '2026-11-17T12:10:00Z';

async function textOf(pod: Pod, options: Partial<LogOptions> = {}, now: string = later): Promise<string> {
  const reader = { clock: new TestClock(now), seed: 1, nodes: () => undefined };
  const chunks = await Array.fromAsync(await readLog(pod, { ...plain, ...options }, never, reader));
  return Buffer.concat(chunks).toString();
}

const linesOf = async (...asked: Parameters<typeof textOf>) => (await textOf(...asked)).split('\n').slice(0, -1);

test('the same lines are read again, and more of them later', async () => {
  const first = await linesOf(runningPod());
  expect(first.length).toBeGreaterThan(200);
  expect(await linesOf(runningPod())).toEqual(first);
  const more = await linesOf(runningPod(), {}, '2026-11-17T12:20:00Z');
  expect(more.length).toBeGreaterThan(500);
  expect(more.slice(0, first.length)).toEqual(first);
});

test('--tail shows the last lines, --since those of the last seconds, --limit-bytes the first bytes', async () => {
  const all = await linesOf(runningPod());
  expect(await linesOf(runningPod(), { tailLines: 3 })).toEqual(all.slice(-3));
  expect(await linesOf(runningPod(), { tailLines: 0 })).toEqual([]);
  const recent = await linesOf(runningPod(), { sinceSeconds: 60 });
  expect(recent.length).toBeGreaterThan(20);
  expect(recent).toEqual(all.slice(-recent.length));
  expect(await linesOf(runningPod(), { sinceTime: '2026-11-17T12:09:00Z' })).toEqual(recent);
  expect(await textOf(runningPod(), { limitBytes: 7 })).toBe(all.join('\n').slice(0, 7));
  expect(await textOf(runningPod(), { limitBytes: 0 })).toBe('');
});

test('timestamps are whole nanoseconds and never go back', async () => {
  const times = (await linesOf(runningPod(), { timestamps: true })).map((line) => line.split(' ', 1)[0]!);
  expect(times[0]).toMatch(/^2026-11-17T12:00:00\.\d{9}Z$/);
  expect(times.toSorted()).toEqual(times);
});

test('streams can be read apart', async () => {
  const all = await linesOf(runningPod({ image: 'nginx:1.29' }));
  const out = await linesOf(runningPod({ image: 'nginx:1.29' }), { stream: 'Stdout' });
  const errors = await linesOf(runningPod({ image: 'nginx:1.29' }), { stream: 'Stderr' });
  expect(errors.length).toBeGreaterThan(0);
  expect(out.length + errors.length).toBe(all.length);
});

test('of a log of months the kept lines are read, and the last ones at once', async () => {
  const now = '2027-06-01T00:00:00Z';
  expect(await linesOf(runningPod(), {}, now)).toHaveLength(20_000);
  expect(await linesOf(runningPod(), { tailLines: 2 }, now)).toHaveLength(2);
});

test('the last lines of a crashing container show the error, also as --previous', async () => {
  const crashed = runningPod(
    { image: 'shop/payment:1.4' },
    { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: terminated(1, 'Error'), restartCount: 4 },
  );
  const lines = await linesOf(crashed);
  expect(lines.at(-1)).toContain(
    '"level":"fatal","msg":"cannot authorize payments: PAYMENT_API_KEY is not set","exitCode":1',
  );
  expect(await linesOf(crashed, { previous: true })).toEqual(lines);
});

test('a container that does not run gives the error of the kubelet', async () => {
  const waiting = (reason: string) => runningPod({}, { state: { waiting: { reason } } });
  await expect(textOf(waiting('ContainerCreating'))).rejects.toMatchObject({
    code: 400,
    message: 'container "app" in pod "web-1" is waiting to start: ContainerCreating',
  });
  await expect(textOf(waiting('ImagePullBackOff'))).rejects.toThrow('trying and failing to pull image');
  await expect(textOf(runningPod(), { previous: true })).rejects.toMatchObject({
    code: 400,
    message: 'previous terminated container "app" in pod "web-1" not found',
  });
});

test('the logs generator of Kubernetes writes as many lines as requested', async () => {
  const command = ['logs-generator', '--log-lines-total', '100', '--run-duration', '20s'];
  const lines = await linesOf(runningPod({ image: 'registry.k8s.io/e2e-test-images/agnhost:2.59', args: command }));
  expect(lines).toHaveLength(100);
  expect(lines.join('\n')).toContain('/api/v1/namespaces/kube-system');
});

/** At the highest rate, plus or minus the first and the last. */
const isTwoSeconds = ({ length }: readonly string[]): boolean => Math.abs(length - 2_000) <= 2;

test('lines that nobody could count are not counted one by one', async () => {
  const command = ['logs-generator', '--log-lines-total', '9'.repeat(400), '--run-duration', '1ns'];
  const generator = runningPod({ image: 'registry.k8s.io/e2e-test-images/agnhost:2.59', args: command });
  expect(await linesOf(generator, { sinceSeconds: 2 })).toSatisfy(isTwoSeconds);
  const busy = runningPod({ image: 'nginx' });
  const running = onNode(busy, { id: 'containerd://1', attempt: 0, startedAt: Date.parse(startedAt) });
  const [app] = running.containers;
  const nodes = new TestNodes({ ...running, containers: [{ ...app!, behaviour: { ...behaviour, logRate: 1e300 } }] });
  const reader = { clock: new TestClock(later), seed: 1, nodes: () => nodes };
  const bytes = Buffer.concat(await Array.fromAsync(await readLog(busy, { ...plain, sinceSeconds: 2 }, never, reader)));
  expect(bytes.toString().split('\n')).toSatisfy(isTwoSeconds);
});

test('agnhost without arguments logs that it pauses', async () => {
  expect(await linesOf(runningPod({ image: 'registry.k8s.io/e2e-test-images/agnhost:2.59' }))).toEqual(['Paused']);
});

test('a command of the shell logs what it writes, as time passes', async () => {
  const script = 'echo starting; echo no >&2; sleep 120; echo "$(date +%T) done"; sleep infinity';
  const pod = runningPod({ image: 'busybox:1.37', command: ['sh', '-c', script] });
  expect(await linesOf(pod, {}, '2026-11-17T12:01:00Z')).toEqual(['starting', 'no']);
  expect(await linesOf(pod)).toEqual(['starting', 'no', '12:02:00 done']);
  expect(await linesOf(pod, { sinceSeconds: 490 })).toEqual(['12:02:00 done']);
  const echo = runningPod({ image: 'busybox', args: ['echo', 'hello'] }, { state: terminated(0, 'Completed') });
  expect(await linesOf(echo)).toEqual(['hello']);
  const stopped = runningPod({ image: 'busybox', command: ['sh', '-c', script] }, { state: terminated(137, 'Error') });
  expect(await linesOf(stopped)).toEqual(['starting', 'no']);
});

test('a container of nothing but a shell that waits logs nothing', async () => {
  expect(await linesOf(runningPod({ image: 'busybox', args: ['sleep', '3600'] }))).toEqual([]);
});

const behaviour = {} as RunningPod['containers'][number]['behaviour'];

const onNode = (pod: Pod, current: ContainerInstance): RunningPod => ({
  uid: pod.metadata.uid!,
  namespace: 'default',
  name: 'web-1',
  node: 'node-1',
  ip: '10.244.1.7',
  containers: [
    {
      name: 'app',
      kind: 'main',
      image: 'nginx',
      behaviour: { ...behaviour, logRate: 10 },
      ready: true,
      current,
      previous: undefined,
      waiting: undefined,
    },
  ],
});

test('-f shows lines as they come, at the rate of the pod, until the container ends', async () => {
  const pod = runningPod({ image: 'nginx' });
  const started = Date.parse(startedAt);
  const instance = { id: 'containerd://1', attempt: 0, startedAt: started };
  const nodes = new TestNodes(onNode(pod, instance));
  const reader = { clock: new TestClock(started + 60_000), seed: 1, nodes: () => nodes };
  const chunks: string[] = [];
  for await (const chunk of await readLog(pod, { ...plain, follow: true, tailLines: 1 }, never, reader)) {
    chunks.push(Buffer.from(chunk).toString());
    if (chunks.length === 30) {
      nodes.change(onNode(pod, { ...instance, end: { at: reader.clock.now(), exitCode: 0, reason: 'Completed' } }));
    }
  }
  expect(chunks.length).toBe(31);
  expect(chunks.at(-1)).toContain('signal 15 (SIGTERM) received, exiting');
  expect(reader.clock.now() - started).toBeLessThan(65_000);
  expect(nodes.observers).toBe(0);
});

test('-f notices an end that comes before the first line is read', async () => {
  const pod = runningPod({ image: 'nginx' });
  const instance = { id: 'containerd://1', attempt: 0, startedAt: Date.parse(startedAt) };
  const nodes = new TestNodes(onNode(pod, instance));
  const clock = new TestClock(later);
  const reader = { clock, seed: 1, nodes: () => nodes };
  const lines = await readLog(pod, { ...plain, follow: true, tailLines: 0 }, never, reader);
  nodes.change(onNode(pod, { ...instance, end: { at: clock.now(), exitCode: 0, reason: 'Completed' } }));
  expect(Buffer.concat(await Array.fromAsync(lines)).toString()).toContain('signal 15 (SIGTERM) received, exiting');
});

test('-f ends with the client, and when the pod has left its node', async () => {
  const pod = runningPod({ image: 'nginx' });
  const nodes = new TestNodes(onNode(pod, { id: 'containerd://1', attempt: 0, startedAt: Date.parse(startedAt) }));
  const ending = new AbortController();
  const clock = new TestClock(later);
  for await (const _ of await readLog(pod, { ...plain, follow: true }, ending.signal, {
    clock,
    seed: 1,
    nodes: () => nodes,
  }))
    ending.abort();
  for await (const _ of await readLog(pod, { ...plain, follow: true }, never, { clock, seed: 1, nodes: () => nodes }))
    nodes.change(undefined);
  expect(nodes.observers).toBe(0);
});

test('what a script writes is not computed any further once the client is gone', async () => {
  const pod = runningPod({ image: 'busybox', command: ['sh', '-c', 'true;'.repeat(9_000)] });
  const ending = new AbortController();
  const reader = { clock: new TestClock(later), seed: 1, nodes: () => undefined };
  let isOver = false;
  const log = readLog(pod, plain, ending.signal, reader).finally(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns += 1) {
    if (turns === 50) ending.abort();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(turns).toBeLessThan(1_000);
  expect(await Array.fromAsync(await log)).toEqual([]);
});
