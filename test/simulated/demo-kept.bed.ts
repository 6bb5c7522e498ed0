/** `fleet demo --keep`: started again, killed while it starts, changed by users, moved. Needs no clusters. */

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type Exports, end, exportsOf, fleet, folder, start } from './src/demo-process.ts';

const itemsOf = <T>(stdout: string): T[] => (JSON.parse(stdout) as { items: T[] }).items;

const stateOf = async (kept: string): Promise<object> => JSON.parse(await readFile(join(kept, 'demo.json'), 'utf8'));

/** A client of one of its clusters, of its administrator. */
async function inMember(kept: string, name: string, work: (client: KubeClient) => Promise<unknown>): Promise<void> {
  await using upstream = new HttpsUpstream(await loadEndpoint(join(kept, 'kubeconfigs', name)));
  await work(new KubeClient(upstream));
}

test('one that is kept is there again: the same clusters, at the same ports, with a tour of what is there', async () => {
  const kept = join(folder, 'it is kept');
  const clustersOf = async (shell: Exports) => {
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

test('one that is killed while it starts resumes on its next start: no cluster and no pod twice or missing', async () => {
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
  // As a terminal that is closed does.
  expect(await end(first, 'SIGHUP')).toBe(0);

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
