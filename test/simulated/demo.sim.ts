/** `fleet demo` as people run it: without kubectl in the PATH, ended by Ctrl-C, kept and started again. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { command, run } from './src/product.ts';

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-demos-'));
  path = join(folder, 'bin');
  await mkdir(path);
  await symlink('/bin/sh', join(path, 'sh'));
});

afterAll(() => rm(folder, { recursive: true }));

function start(...flags: string[]): ChildProcess {
  const demo = spawn(process.execPath, [command, 'demo', ...flags], {
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void demo.kill('SIGINT'));
  return demo;
}

const unquoted = (word: string): string => word.replace(/^'(.*)'$/, '$1');

/** What it says to export. */
async function exportsOf({ stdout }: ChildProcess): Promise<{ kubeconfig: string; bin: string }> {
  let printed = '';
  for await (const chunk of stdout!.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    const [, kubeconfig, bin] = /^export KUBECONFIG=(.+)\nexport PATH=(.+):\$PATH$/m.exec(printed) ?? [];
    if (kubeconfig && bin) return { kubeconfig: unquoted(kubeconfig), bin: unquoted(bin) };
  }
  throw new Error(`the demo ended: ${printed}`);
}

async function end(demo: ChildProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
  demo.stdout?.resume();
  demo.kill(signal);
  const [code] = (await once(demo, 'exit')) as [number | null];
  return code;
}

test.each(['SIGINT', 'SIGHUP'] as const)(
  'after Ctrl-C or a closed terminal (%s) nothing is left: no folder, no port',
  async (signal) => {
    const demo = start();
    const { kubeconfig, bin } = await exportsOf(demo);
    const env = { KUBECONFIG: kubeconfig, PATH: `${bin}${delimiter}${path}` };
    const got = await run(join(bin, 'fleet'), ['get', 'deployments', '-n', 'shop', '-o', 'name'], env);
    expect(got.stdout.match(/frontend\.clusterspace\.(frankfurt|virginia|tokyo)$/gm)).toHaveLength(3);
    const [, url] = /server: (https:\S+)/.exec(await readFile(kubeconfig, 'utf8'))!;
    expect(await end(demo, signal)).toBe(0);
    expect(existsSync(dirname(bin))).toBe(false);
    await expect(fetch(url!)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  },
);

/** One command, as the tour has it. */
const fleet = ({ kubeconfig, bin }: { kubeconfig: string; bin: string }, ...args: string[]) =>
  run(join(bin, 'fleet'), args, { KUBECONFIG: kubeconfig, PATH: `${bin}${delimiter}${path}` });

const itemsOf = <T>(stdout: string): T[] => (JSON.parse(stdout) as { items: T[] }).items;

const stateOf = async (kept: string): Promise<object> => JSON.parse(await readFile(join(kept, 'demo.json'), 'utf8'));

/** A client of one of its clusters, of its administrator. */
async function inMember(kept: string, name: string, work: (client: KubeClient) => Promise<unknown>): Promise<void> {
  await using upstream = new HttpsUpstream(await loadEndpoint(join(kept, 'kubeconfigs', name)));
  await work(new KubeClient(upstream));
}

test('one that is kept is there again: the same clusters, at the same ports, with a tour of what is there', async () => {
  const kept = join(folder, 'it is kept');
  const clustersOf = async (shell: { kubeconfig: string; bin: string }) => {
    const items = itemsOf<{ spec: object }>((await fleet(shell, 'get', 'clusters', '-o', 'json')).stdout);
    const [, server] = /server: (\S+)/.exec(await readFile(shell.kubeconfig, 'utf8'))!;
    return { server, specs: items.map(({ spec }) => spec) };
  };
  const first = start('--keep', kept);
  const before = await clustersOf(await exportsOf(first));
  // As the tour does with kubectl.
  const fixed = { spec: { template: { spec: { containers: [{ name: 'cart', image: 'shop/cart:2.4.1' }] } } } };
  await inMember(kept, 'virginia', (client) =>
    client.patch('/apis/apps/v1/namespaces/shop/deployments/cart', 'strategic', fixed),
  );
  expect(await end(first)).toBe(0);

  const second = start('--keep', kept, '--exit-after-check');
  expect(await clustersOf(await exportsOf(second))).toEqual(before);
  const [printed, [code]] = await Promise.all([text(second.stdout!), once(second, 'exit')]);
  expect(code, printed).toBe(0);
  expect(printed).toContain('$ fleet get pods');
  expect(printed).not.toContain('older image');
});

test('one that is killed while it starts goes on where it was: no cluster and no pod twice or missing', async () => {
  const kept = join(folder, 'killed');
  const flags = ['--keep', kept, '--clusters', '4', '--pods', '900'];
  const killed = start(...flags);
  // While it makes pods, or just behind that.
  const exited = once(killed, 'exit');
  await expect.poll(() => stateOf(kept).catch(() => ({})), { timeout: 60_000 }).toMatchObject({ opened: 4, pods: 900 });
  killed.kill('SIGKILL');
  await exited;
  const demo = start('--keep', kept);
  const shell = await exportsOf(demo);
  const list = (...what: string[]) => fleet(shell, 'get', ...what, '-o', 'name');
  expect((await list('clusters')).stdout.trim().split('\n')).toHaveLength(4);
  expect((await list('pods', '-n', 'load')).stdout.trim().split('\n')).toHaveLength(900);
  expect((await list('deployments', '-n', 'shop', '-l', 'app=cart')).stdout.trim().split('\n')).toHaveLength(4);
  expect(await end(demo)).toBe(0);
  expect(await stateOf(kept)).toMatchObject({ clusters: 4, pods: 900, filled: 900, opened: 4, joined: 4 });
});

test('what users changed in a kept one stays so: no shop, a member less, its port taken', async () => {
  const kept = join(folder, 'changed');
  const first = start('--keep', kept);
  const before = await exportsOf(first);
  const member = (name: string) => join(kept, 'kubeconfigs', name);
  const portOf = async (name: string) => Number(/https:\S+:(\d+)/.exec(await readFile(member(name), 'utf8'))![1]);
  await inMember(kept, 'frankfurt', (client) => client.delete('/api/v1/namespaces/shop'));
  const unjoined = await fleet(before, 'unjoin', 'tokyo', '--kubeconfig', member('tokyo'));
  expect(unjoined, unjoined.stderr).toMatchObject({ code: 0 });
  expect(await end(first)).toBe(0);

  const taken = await portOf('virginia');
  const server = createServer().listen(taken, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const second = start('--keep', kept);
  const after = await exportsOf(second);
  expect(await portOf('virginia')).not.toBe(taken);
  const clusters = await fleet(after, 'get', 'clusters', '-o', 'name');
  expect(clusters.stdout.match(/frankfurt|virginia|tokyo/g)).toEqual(['frankfurt', 'virginia']);
  const found = await fleet(after, 'get', 'deployments', '-n', 'shop', '-l', 'app=cart', '-o', 'name');
  expect(found, found.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('cart.clusterspace.virginia') });
  expect(found.stdout).not.toContain('frankfurt');
  expect(await end(second)).toBe(0);
});

test('a member that had to move is found again, though the demo was killed before it updated the Cluster object', async () => {
  const kept = join(folder, 'moved');
  const first = start('--keep', kept);
  await exportsOf(first);
  expect(await end(first)).toBe(0);
  const { port: taken } = JSON.parse(await readFile(join(kept, 'members', 'tokyo', 'cluster.json'), 'utf8'));
  const server = createServer().listen(taken, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const killed = start('--keep', kept, '--pods', '3000');
  const exited = once(killed, 'exit');
  // The clusters have started, and are being filled: their Cluster objects are updated after that.
  await expect.poll(() => stateOf(kept), { timeout: 60_000, interval: 10 }).toMatchObject({ pods: 3000 });
  killed.kill('SIGKILL');
  await exited;
  expect(await stateOf(kept)).toMatchObject({ filled: 0 });
  server.close();

  const demo = start('--keep', kept);
  const got = await fleet(await exportsOf(demo), 'get', 'deployments', '-n', 'shop', '-l', 'app=cart', '-o', 'name');
  expect(got, got.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('cart.clusterspace.tokyo') });
  expect(await end(demo)).toBe(0);
});

test('the tour shows what it promises, without kubectl', async () => {
  const demo = start('--exit-after-check');
  const [printed, [code]] = await Promise.all([text(demo.stdout!), once(demo, 'exit')]);
  expect(printed).not.toContain('kubectl');
  expect(code, printed).toBe(0);
});
