/** A member that nothing but its agent leads to: its API server listens on loopback in a network namespace (AGENT-1). Needs root. */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Child } from '@fleet/bed/child.ts';
import { EmbeddedControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import { freePort } from '@fleet/bed/ports.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InnerMember } from './agent-namespace/inner-member.ts';

const run = promisify(execFile);

/** What a client gets that dials it: a connection, or why there is none. */
const dial = async (host: string, port: number): Promise<string> => {
  const socket = connect({ host, port, timeout: 5_000 });
  try {
    return await Promise.race([
      once(socket, 'connect').then(() => 'connected'),
      once(socket, 'timeout').then(() => 'timeout'),
    ]);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    socket.destroy();
  }
};

const configMap = (name: string) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { key: name } });
const pod = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'main', image: 'nginx' }] },
});
const cluster = '/apis/cluster.karmada.io/v1alpha1/clusters/inner';
const agentObject = '/apis/cluster.kubesphere.io/v1alpha1/agents/inner';

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot).each(['simulated', 'real'] as const)('a %s member in a network namespace', (kind) => {
  const owned = new AsyncDisposableStack();
  let inner: InnerMember;
  let controlPlane: EmbeddedControlPlane;
  let product: Product;
  let agentPort: number;
  let tokenFile: string;
  let agent: Child;

  const at = { at: '/clusters/inner' };
  const kubectl = async (...args: Parameters<Product['kubectl']>) => {
    const { code, stdout, stderr } = await product.kubectl(at, ...args);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
  const version = (of = product) => of.api.ask('/clusters/inner/version', { timeout: 20_000 });
  const answers = (code: number) => until(`it answers ${code}`, async () => (await version()).code === code);

  beforeAll(async () => {
    inner = owned.use(await InnerMember.start(kind));
    controlPlane = owned.use(await EmbeddedControlPlane.start());
    agentPort = await freePort();
    const flags = ['--agent-listen', `${inner.namespace.outside}:${agentPort}`];
    product = owned.use(await startProduct({ controlPlane, flags }));
    tokenFile = join(inner.folder, 'token');
    // Its own address: who dials it anywhere but in the namespace finds nobody.
    const endpoint = `https://127.0.0.1:${inner.port}`;
    const joined = await product.fleet('join', 'inner', '--agent', '--token-file', tokenFile, '--endpoint', endpoint);
    expect(joined).toMatchObject({ code: 0 });
    agent = inner.startAgent(agentPort, tokenFile);
    const isReady = async () =>
      (
        await controlPlane.api.object<{ status?: { conditions?: { type: string; status: string }[] } }>(cluster)
      ).status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
    await until('it is ready', isReady, { failed: agent.ended });
  });
  afterAll(() => owned.disposeAsync());

  test('AGENT-1: it cannot be dialled from where the product is, and can in its namespace', async () => {
    expect(await dial('127.0.0.1', inner.port)).toBe('ECONNREFUSED');
    expect(await dial(inner.namespace.inside, inner.port)).toBe('ECONNREFUSED');
    const script = `require('net').connect(${inner.port}, '127.0.0.1').on('connect', () => { console.log('connected'); process.exit() })`;
    expect((await run(...inner.namespace.within(process.execPath, '-e', script))).stdout.trim()).toBe('connected');
  });

  test('KS-5: its Agent shows the address of the cable, and what went over it', async () => {
    const replicas = async () =>
      (await controlPlane.api.object<{ status?: { replicas?: object[] } }>(agentObject)).status?.replicas;
    const isShown = async () => {
      const { namespace } = inner;
      expect(await replicas()).toMatchObject([{ state: 'Connected', address: namespace.inside }]);
      return true;
    };
    await until('its Agent is connected', isShown);
  });

  test('AGENT-5: writes, lists and watches', async () => {
    await kubectl('create', '-f', '-', { stdin: configMap('one') });
    expect(await kubectl('get', 'configmap', 'one', '-o', 'jsonpath={.data.key}')).toBe('one');
    const { stdout } = await product.kubectl('get', 'configmaps', '-o', 'name');
    expect(stdout).toContain('configmap/one.clusterspace.inner');
    const watching = product.startKubectl(at, 'get', 'configmaps', '--watch', '-o', 'name');
    const lines = createInterface(watching.stdout);
    const seen: string[] = [];
    lines.on('line', (line) => seen.push(line));
    await until('the watch shows the first', () => seen.includes('configmap/one'));
    await kubectl('create', '-f', '-', { stdin: configMap('two') });
    await until('the watch shows the second', () => seen.includes('configmap/two'));
    watching.kill();
    await kubectl('delete', 'configmap', 'one', 'two');
    expect(await kubectl('get', 'configmaps', '-o', 'name')).not.toContain('configmap/one');
  });

  test('AGENT-5: logs and exec', async () => {
    await kubectl('create', '-f', '-', { stdin: pod });
    await kubectl('wait', '--for=condition=Ready', 'pod/web', '--timeout=40s');
    await until('it has written a line', async () => (await kubectl('logs', 'web', '--tail=1')).length > 0);
    expect(await kubectl('exec', '-i', 'web', '--', 'cat', { stdin: 'into the cage\n' })).toBe('into the cage\n');
  });

  test('negative control: a product that dials its endpoint does not reach it (AGENT-11)', async () => {
    await using other = await startProduct({
      controlPlane,
      sharesControlPlane: true,
      mutant: {
        file: 'server/src/members/member.ts',
        from: "const isTunnelled = connectionTypeOf(cluster) === 'proxy';",
        to: 'const isTunnelled = !cluster;',
      },
    });
    expect(await version(other)).toMatchObject({ code: 503 });
    expect(await version()).toMatchObject({ code: 200 });
  });

  test('AGENT-6: without its agent nothing leads to it; with it all is as before', async () => {
    await agent.end('SIGKILL');
    await answers(503);
    expect((await version()).body).toContain('no agent of it is connected');
    agent = inner.startAgent(agentPort, tokenFile);
    await answers(200);
    expect(await kubectl('get', 'pod', 'web', '-o', 'name')).toBe('pod/web\n');
  });
});
