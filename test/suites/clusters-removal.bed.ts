/** Clusters that are switched off (KS-2) or leave (CLU-6). */

import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clustersOf } from './cluster-object.ts';
import { type Fleet, startFleet } from './fleet.ts';

let fleet: Fleet<'member1' | 'member2'>;

beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', workloads: true },
    member2: { version: 'older', nodes: 0 },
  });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const { patchCluster } = clustersOf(() => fleet);

describe('KS-2: a cluster that is not active', () => {
  const off = 'cluster.kubesphere.io/active';
  const namespaces = '/clusterspaces/member2/api/v1/namespaces';
  const shown = async (product: Product) => (await product.kubectl('get', 'namespaces', '-o', 'name')).stdout;

  beforeAll(async () => {
    await patchCluster('member2', { metadata: { annotations: { [off]: 'false' } } });
    await until('it is off', async () => (await fleet.product.api.ask(namespaces)).code === 503);
  });
  afterAll(() => patchCluster('member2', { metadata: { annotations: { [off]: null } } }));

  test('requests to it are 503 with the reason', async () => {
    const { code, body } = await fleet.product.api.ask(namespaces);
    expect({ code, message: JSON.parse(body).message }).toEqual({
      code: 503,
      message: 'cluster is not active: "member2"',
    });
  });

  test('views leave it out without a word', async () => {
    const { code, stdout, stderr } = await fleet.product.kubectl('get', 'namespaces');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('.clusterspace.member1');
    expect(stdout).not.toContain('.clusterspace.member2');
  });

  test('a product that forgets to look is noticed', async () => {
    await using forgetful = await fleet.withMutant({
      file: 'server/src/members/cluster.ts',
      from: "metadata.annotations?.[activeAnnotation] !== 'false'",
      to: "metadata.annotations?.[activeAnnotation] !== 'never'",
    });
    expect(await shown(forgetful)).toContain('.clusterspace.member2');
  });
});

describe('CLU-6: a Cluster that is deleted', () => {
  test('its streams end at once, its Secrets go', async () => {
    const at = '/clusterspaces/member1';
    const pods = await fleet.product.kubectl('get', 'pods', '-o', 'name', { at });
    const pod = pods.stdout.split('\n')[0]!;
    const watching = fleet.product.startKubectl({ at }, 'get', '--raw', '/api/v1/configmaps?watch=true');
    const running = fleet.product.startKubectl({ at }, 'exec', pod, '--', 'sh', '-c', 'echo started; sleep 300');
    const started = (stream: typeof watching) => new Promise((resolve) => stream.stdout.once('data', resolve));
    const ended = (stream: typeof watching) => new Promise((resolve) => stream.once('close', resolve));
    await Promise.all([watching, running].map(started));
    const over = Promise.all([watching, running].map(ended));
    const { code } = await fleet.controlPlane.kubectl('delete', 'cluster', 'member1', '--timeout=20s');
    expect(code).toBe(0);
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error('streams go on')), 5_000));
    await Promise.race([over, late]);
    for (const name of ['member1', 'member1-impersonator']) {
      const path = `/api/v1/namespaces/karmada-cluster/secrets/${name}`;
      expect((await fleet.controlPlane.api.ask(path)).code).toBe(404);
    }
    expect((await fleet.product.api.ask('/clusterspaces/member1/api')).code).toBe(404);
    expect((await fleet.controlPlane.api.ask('/api/v1/namespaces/karmada-cluster/secrets/member2')).code).toBe(200);
  });

  test('and it can join again', async () => {
    await fleet.product.join(fleet.members.member1);
    expect((await fleet.product.api.ask('/clusterspaces/member1/api')).code).toBe(200);
  });
});

test('CLU-6: negative control: a product whose streams outlive the Cluster is noticed', async () => {
  await using clinging = await fleet.withMutant({
    file: 'server/src/members/registry.ts',
    from: 'this.ends.get(name)?.abort(',
    to: 'String(',
  });
  const watch = (product: Product) => {
    const kubectl = product.startKubectl(
      { at: '/clusterspaces/member1' },
      ...['get', '--raw', '/api/v1/configmaps?watch=true'],
    );
    let seen = '';
    kubectl.stdout.on('data', (data) => {
      seen += data;
    });
    return { seen: () => seen, kill: () => kubectl.kill(), ended: () => kubectl.exitCode !== null };
  };
  const [sound, mutant] = [watch(fleet.product), watch(clinging)];
  await until('both are open', () => [sound, mutant].every(({ seen }) => seen().includes('\n')));
  await fleet.controlPlane.kubectl('delete', 'cluster', 'member1', '--timeout=20s');
  await until('the one ends', () => sound.ended());
  await fleet.members.member1.kubectl('create', 'configmap', 'after-removal');
  await until('the other goes on', () => mutant.seen().includes('"after-removal"'));
  mutant.kill();
});
