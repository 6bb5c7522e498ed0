/** `fleet join` as it is typed, of a simulated member, to a control plane in the test. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Kubeconfig } from '@fleet/client/kubeconfig.ts';
import { startCluster } from '@fleet/simulator/start-cluster.ts';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createProgram } from '../program.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { startFakeFleetOver } from '../testing/fake-fleet.ts';

const versionOf = async ({ client }: { client: KubeClient }): Promise<string> =>
  (await client.get<{ gitVersion: string }>('/version')).gitVersion;

test('IMP-6: --cache-kinds and --federation-kinds grant what they name', async () => {
  await using member = await startCluster({ name: 'member1', factor: 10, onError: () => {} });
  const { run } = await startFakeFleetOver(new FakeCluster('uid-of-fleet'));
  const folder = await mkdtemp(join(tmpdir(), 'fleet-join-'));
  await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, member.kubeconfig);
  const resources = async (role: string) => {
    const path = `/apis/rbac.authorization.k8s.io/v1/clusterroles/${role}`;
    const { rules } = await member.client.get<{ rules: { resources: string[] }[] }>(path);
    return rules.map((rule) => rule.resources);
  };
  const joined = (...flags: string[]) => run('join', 'member1', '--kubeconfig', kubeconfig, ...flags);

  const { stderr } = await joined('--cache-kinds', 'secrets', '--federation-kinds', 'configmaps,deployments.apps');
  expect(stderr).toContain('Grant federation read and write of its kinds: 2 made');
  expect(await resources('fleet:federation')).toEqual([['configmaps', 'namespaces'], ['deployments']]);
  expect((await resources('fleet:cache'))[0]).toEqual(['secrets']);

  await joined('--federation-kinds', 'none');
  await expect(resources('fleet:federation')).rejects.toThrow('not found');
  expect((await resources('fleet:cache'))[0]).toEqual(['secrets']);
});

test('CLU-2: --contexts joins the clusters of several contexts, and reports what is wrong with them first', async () => {
  await using first = await startCluster({ name: 'first', factor: 10, onError: () => {} });
  await using second = await startCluster({ name: 'second', factor: 10, onError: () => {} });
  const { run, server } = await startFakeFleetOver(new FakeCluster('uid-of-fleet'));
  const folder = await mkdtemp(join(tmpdir(), 'fleet-join-'));
  await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  const kubeconfig = join(folder, 'kubeconfig');
  const configs = [first, second].map((one) => parse(one.kubeconfig) as Required<Kubeconfig>);
  const renamed = configs.map(({ clusters, users }, index) => {
    const name = ['first', 'admin@second'][index]!;
    return {
      clusters: { ...clusters[0], name },
      users: { ...users[0], name },
      contexts: { name, context: { cluster: name, user: name } },
    };
  });
  const listOf = (field: 'clusters' | 'users' | 'contexts') => renamed.map((one) => one[field]);
  const config = { clusters: listOf('clusters'), users: listOf('users'), contexts: listOf('contexts') };
  await writeFile(kubeconfig, stringify(config));
  const joined = (contexts: string) => run('join', '--contexts', contexts, '--kubeconfig', kubeconfig);

  await expect(joined('first,third')).rejects.toThrow('there is no context "third"');
  await expect(joined('first,admin@second')).rejects.toThrow('--contexts NAME=admin@second');
  expect(server.requests).toEqual([]);

  const { stderr } = await joined('first,tokyo=admin@second');
  expect(stderr).toMatch(/^Joining 2 clusters to the fleet at /);
  expect(stderr.split('\n').slice(1).sort().join('\n')).toBe(
    `\n  ✓ first: joined, ${await versionOf(first)}\n  ✓ tokyo: joined, ${await versionOf(second)}\nAll 2 are in the fleet.`,
  );
  expect((await joined('first')).stderr).toContain('  ✓ first: was registered already, ');
});

test.each([
  [['x', '--contexts', 'a'], '"x" is one name too many'],
  [['--contexts', 'a', '--context', 'b'], '--context and --contexts exclude each other'],
  [['--contexts', 'a', '--agent'], '--contexts is not for members behind agents'],
  [['--contexts', 'a'], 'name the kubeconfig that has these contexts'],
  [[], 'name the member, or several contexts with --contexts a,b,c'],
])('fleet join %j', async (words, message) => {
  await expect(createProgram().parseAsync(['join', ...words], { from: 'user' })).rejects.toThrow(message);
});

test("IMP-6: the help explains what '*' grants to the product", () => {
  const command = createProgram().commands.find((one) => one.name() === 'join')!;
  const option = command.options.find(({ long }) => long === '--federation-kinds');
  expect(option?.description).toContain("'*' for all, which makes the product a cluster-admin of the member in effect");
});
