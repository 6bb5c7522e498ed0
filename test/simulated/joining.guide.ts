/** The guides on joining clusters, on their tokens and on the cache, run as they are written. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SimulatedCluster, startCluster } from '@fleet/simulator/start-cluster.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { GuideReader } from './src/guide.ts';
import { hasKubectl } from './src/kubectl.ts';

/** In milliseconds: a guide has many commands, each of which starts a process. */
const patience = 180_000;
const guide = 'joining-clusters.md';
const clusters: SimulatedCluster[] = [];
const errors: unknown[] = [];
let fleet: SimulatedFleet;
let reader: GuideReader;

beforeAll(async () => {
  if (!hasKubectl) return;
  fleet = await startFleet({ members: [] });
  reader = await GuideReader.in(fleet.folder);
  for (const name of ['member1', 'member2', 'tokyo', 'gondor']) {
    const cluster = await startCluster({ name, onError: (error) => errors.push(error) });
    clusters.push(cluster);
    await writeFile(join(reader.folder, `${name}.kubeconfig`), cluster.kubeconfig);
  }
  await mkdir(join(reader.folder, '.kube'));
  await reader.shell(
    `KUBECONFIG=member1.kubeconfig:member2.kubeconfig:tokyo.kubeconfig kubectl config view --flatten > .kube/config
     kubectl --kubeconfig .kube/config config rename-context tokyo admin@tokyo`,
    fleet.product,
  );
}, patience);

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  for (const cluster of clusters) await cluster[Symbol.asyncDispose]();
  expect(errors).toEqual([]);
});

const members = async (): Promise<string[]> => {
  const { stdout } = await fleet.product.fleet('get', 'clusters', '-o', 'name');
  return stdout.trim().split('\n');
};

// In the order of a reader: each continues where the one before ended.
describe.skipIf(!hasKubectl)('CLU-2: as written', { timeout: patience }, () => {
  test('by command, several at once', async () => {
    await reader.followAll(guide, 'By command', fleet.product);
    const resource = 'cluster.cluster.karmada.io';
    expect(await members()).toEqual(['member1', 'member2', 'tokyo'].map((name) => `${resource}/${name}`));
  });

  test('a member that is switched off and on', async () => {
    const [off, on] = await reader.steps(guide, 'Switching a member off');
    const path = '/clusterspaces/member2/version';
    await reader.follow(off!, fleet.product);
    expect(await reader.shell(`kubectl get --raw ${path} || true`, fleet.product)).toContain('is not active');
    await reader.follow(on!, fleet.product);
    expect(await reader.shell(`kubectl get --raw ${path}`, fleet.product)).toContain('gitVersion');
  });

  test("a member's tokens", async () => {
    await reader.followAll('rotating-keys.md', "Members' tokens", fleet.product);
    expect(await reader.shell('kubectl get --raw /clusterspaces/member1/version', fleet.product)).toContain(
      'gitVersion',
    );
  });

  test('CACHE-1: the cache', async () => {
    await reader.save('aggregation-cache.md', 'Turn it on', 'workloads.yaml');
    for (const name of ['member2', 'tokyo']) await reader.shell(`fleet unjoin ${name}`, fleet.product);
    await reader.followAll('aggregation-cache.md', 'Turn it on', fleet.product);
    await reader.followAll('aggregation-cache.md', 'See what is synced', fleet.product);
    await reader.followAll('aggregation-cache.md', 'The search endpoint', fleet.product);
  });

  test('AGENT-1: agents', async () => {
    for (const heading of ['Register', 'In the member', 'A stock ssh', 'Tokens']) {
      await reader.followAll('agents.md', heading, fleet.product);
    }
  });

  test('by YAML', async () => {
    await reader.save(guide, 'By YAML', 'in-member.yaml');
    const steps = await reader.steps(guide, 'By YAML');
    const remove = steps.pop()!;
    const secret = '/api/v1/namespaces/karmada-cluster/secrets';
    await fleet.controlPlane.create(secret, { metadata: { name: 'my-credential' } });
    for (const step of steps) await reader.follow(step, fleet.product);
    expect(await reader.shell('kubectl get --raw /clusterspaces/member2/version', fleet.product)).toContain(
      'gitVersion',
    );
    await reader.follow(remove, fleet.product);
    expect(await members()).not.toContain('cluster.cluster.karmada.io/member2');
    await rm(join(reader.folder, 'in-member.yaml'));
  });
});
