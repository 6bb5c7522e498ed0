import { request as httpRequest } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import type { ProxyTarget } from '@fleet/apiserver/connect/connector.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import { expect, test } from 'vitest';
import { createConnector } from './connector.ts';
import type { Pod } from './pods/pod.ts';
import { runningPod, TestClock, TestNodes } from './testing/pods.ts';
import { TestSession } from './testing/sessions.ts';

const web = { ports: [{ name: 'http', containerPort: 8080 }] };
const asked: string[] = [];
const never = new AbortController().signal;

function connector(pods: readonly Pod[] = [], nodes?: TestNodes) {
  const client = {
    async list(path: string) {
      asked.push(path);
      return { metadata: { resourceVersion: '1' }, items: pods };
    },
  } as unknown as KubeClient;
  return createConnector({
    name: 'here',
    client: () => client,
    nodes: () => nodes,
    onError(error) {
      throw error;
    },
    clock: new TestClock('2026-11-17T12:10:00Z'),
  });
}

/** One request over a stream that is not a socket. */
async function fetchOver(stream: Duplex, path: string, headers = {}): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const sent = httpRequest({ path, headers, createConnection: () => stream as never }, async (response) => {
    const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>);
    resolve({ status: response.statusCode!, body: Buffer.concat(chunks).toString() });
  });
  sent.once('error', reject);
  sent.end();
  return promise;
}

test('a forwarded port answers with the pod, its node and the path', async () => {
  const [ours, theirs] = duplexPair();
  const over = connector().portForward(runningPod(web), 8080, theirs);
  const { status, body } = await fetchOver(ours, '/cart?item=7', { connection: 'close' });
  expect(status).toBe(200);
  expect(body).toContain('Hello from web-1\n');
  expect(body).toMatch(/namespace: +default\nnode: +node-1\naddress: +10\.244\.1\.7:8080\n/);
  expect(body).toMatch(/method: +GET\npath: +\/cart\?item=7\n/);
  ours.destroy();
  theirs.destroy();
  await over;
});

test('what is no HTTP is refused, and the connection ends', async () => {
  const [ours, theirs] = duplexPair();
  const over = connector().portForward(runningPod(web), 8080, theirs);
  ours.end('nonsense\r\n\r\n');
  expect(Buffer.concat(await Array.fromAsync(ours)).toString()).toContain('400 Bad Request');
  await over;
});

test('a port on which nothing listens refuses the connection', async () => {
  const [, theirs] = duplexPair();
  await expect(connector().portForward(runningPod(web), 81, theirs)).rejects.toThrow(
    'IPv4: dial tcp4 127.0.0.1:81: connect: connection refused',
  );
});

const target = (object: KubeObject, port: string, path = '/'): ProxyTarget => ({ object, scheme: '', port, path });
const request = { method: 'GET', url: '', headers: {}, body: Buffer.alloc(0), signal: never };
const textOf = async (reply: { body: Buffer | AsyncIterable<Uint8Array> }) => String(reply.body);

test('a pod is reached through its proxy by number or name of a port', async () => {
  const { proxy } = connector();
  expect(await textOf(await proxy(target(runningPod(web), '8080', '/a'), request))).toMatch(/path: +\/a\n/);
  expect(await textOf(await proxy(target(runningPod(web), 'http'), request))).toContain('Hello from web-1');
  await expect(proxy(target(runningPod(web), '81'), request)).rejects.toMatchObject({
    code: 503,
    message: 'error trying to reach service: dial tcp 10.244.1.7:81: connect: connection refused',
  });
});

test('agnhost serve-hostname answers with the name of its pod', async () => {
  const serving = runningPod({ ...web, args: ['serve-hostname'] });
  expect(await textOf(await connector().proxy(target(serving, 'http'), request))).toBe('web-1');
});

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'shop', namespace: 'default' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] },
};

test('a service leads to a ready pod of its selector', async () => {
  const unready = { ...runningPod(web), status: { phase: 'Running', conditions: [] } };
  const reply = await connector([unready, runningPod(web)]).proxy(target(service, '80'), request);
  expect(await textOf(reply)).toMatch(/address: +10\.244\.1\.7:8080/);
  expect(asked.at(-1)).toBe('/api/v1/namespaces/default/pods?labelSelector=app%3Dweb');
  await expect(connector([unready]).proxy(target(service, ''), request)).rejects.toMatchObject({
    code: 503,
    message: 'no endpoints available for service "shop"',
  });
});

test('a service with an empty selector leads to no pod', async () => {
  const empty = { ...service, spec: { ...service.spec, selector: {} } };
  await expect(connector([runningPod(web)]).proxy(target(empty, '80'), request)).rejects.toMatchObject({ code: 503 });
});

test('which pods a service leads to is decided by the seed', async () => {
  const one = runningPod(web);
  const pods = ['web-1', 'web-2', 'web-3'].map((name) => ({ ...one, metadata: { ...one.metadata, name } }));
  const chosen = async () => {
    const { proxy } = connector(pods);
    const names: string[] = [];
    for (let times = 0; times < 20; times++) {
      const [, name] = /Hello from (\S+)/.exec(await textOf(await proxy(target(service, '80'), request)))!;
      names.push(name!);
    }
    return names;
  };
  const names = await chosen();
  expect(new Set(names).size).toBe(3);
  expect(await chosen()).toEqual(names);
});

test('a node reports that it is healthy', async () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } };
  expect(await textOf(await connector().proxy(target(node, '', '/healthz'), request))).toBe('ok');
  expect(await connector().proxy(target(node, '', '/other'), request)).toMatchObject({ status: 404 });
});

test('logs and commands of a running container', async () => {
  const { log, exec } = connector();
  const options = {
    container: 'app',
    follow: false,
    previous: false,
    timestamps: false,
    tailLines: 1,
    stream: 'All',
  } as const;
  const lines = await Array.fromAsync(await log(runningPod(), options, never));
  expect(Buffer.concat(lines).toString()).toMatch(/^\{"time":"2026-11-17T12:09:\d\d/);
  const client = new TestSession();
  expect(await exec(runningPod(), client.session(['hostname']))).toBe(0);
  expect(client.out).toBe('web-1\n');
});

test('there is no command in a container that does not run', async () => {
  const waiting = runningPod({}, { state: { waiting: { reason: 'CrashLoopBackOff' } } });
  await expect(connector().exec(waiting, new TestSession().session(['sh']))).rejects.toMatchObject({
    code: 500,
    message: 'Internal error occurred: unable to upgrade connection: container not found ("app")',
  });
});

test('who attaches sees what the container writes from now on', async () => {
  const client = new TestSession();
  const over = connector().attach(runningPod(), client.session([]));
  await client.until('}\n');
  client.ending.abort();
  await expect(over).resolves.toBe(0);
});

test('who attaches to a shell uses it, and its end is the end of the container', async () => {
  const client = new TestSession();
  const nodes = new TestNodes(undefined);
  const pod = runningPod({ image: 'busybox', args: ['sh'], stdin: true, tty: true });
  const over = connector([], nodes).attach(pod, client.session([], { tty: true, stdin: client.stdin }));
  await client.until('/ # ');
  client.type('exit 5\r');
  expect(await over).toBe(5);
  expect(nodes.ended).toEqual([[pod.metadata.uid, 'app', 5]]);
});
