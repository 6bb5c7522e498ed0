/** The status of a member in the control plane: its APIs, its resource summary, its health (CLU-3). */

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

const { cluster, condition, patchCluster, taints } = clustersOf(() => fleet);

describe('CLU-3: the status of a member', () => {
  test('its version, and all the APIs that it serves', async () => {
    const enablementsOf = async (name: 'member1' | 'member2') =>
      until('APIs are reported', async () => (await cluster(name)).status.apiEnablements);
    for (const name of ['member1', 'member2'] as const) {
      const enablements = await enablementsOf(name);
      const direct = await fleet.members[name].kubectl('api-versions');
      expect(enablements.map(({ groupVersion }) => groupVersion).sort()).toEqual(
        direct.stdout.trim().split('\n').sort(),
      );
      expect(enablements.find(({ groupVersion }) => groupVersion === 'apps/v1')?.resources).toContainEqual({
        name: 'deployments',
        kind: 'Deployment',
      });
      expect(await condition(name, 'CompleteAPIEnablements')).toMatchObject({ status: 'True', reason: 'Complete' });
      expect((await cluster(name)).status.kubernetesVersion).toBe(fleet.members[name].version);
    }
  });

  test('its nodes and its resource summary', async () => {
    const { status } = await until('nodes are reported', async () => {
      const seen = await cluster('member1');
      return seen.status.nodeSummary ? seen : undefined;
    });
    const { stdout } = await fleet.members.member1.kubectl('get', 'nodes', '-o', 'json');
    const nodes = JSON.parse(stdout) as { items: { status: { allocatable: Record<string, string> } }[] };
    expect(status.nodeSummary).toEqual({ totalNum: 2, readyNum: 2 });
    const { allocatable, allocated } = status.resourceSummary!;
    expect(Object.keys(allocatable).sort()).toEqual(Object.keys(nodes.items[0]!.status.allocatable).sort());
    expect(Number(allocatable['cpu'])).toBe(2 * Number(nodes.items[0]!.status.allocatable['cpu']));
    const running = await fleet.members.member1.kubectl(
      'get',
      'pods',
      '-A',
      '-o',
      'name',
      '--field-selector=spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed',
    );
    expect(allocated['pods']).toBe(String(running.stdout.trim().split('\n').length));
    expect((await fleet.product.kubectl('get', 'clusters', '-o', 'wide')).stdout).toMatch(/member1 .* 2\n/);
  });

  test('nothing is written while nothing changes', async () => {
    const before = (await cluster('member2')).metadata.resourceVersion;
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    expect((await cluster('member2')).metadata.resourceVersion).toBe(before);
  });
});

describe('CLU-3: a member that goes away', () => {
  const theirs = { key: 'team', value: 'x', effect: 'NoExecute' };

  beforeAll(async () => {
    await patchCluster('member2', { spec: { taints: [theirs] } });
    await fleet.members.member2.faults.kill();
  });

  test('flips after three failures, with a reason and a taint, and no address in it', async () => {
    await until('member2 is not ready', async () => (await condition('member2'))?.status === 'False', {
      timeout: 60_000,
    });
    const { reason, message } = (await condition('member2'))!;
    expect({ reason, message }).toEqual({
      reason: 'ClusterNotReachable',
      message: 'cannot be reached (connection refused)',
    });
    expect(await taints('member2')).toEqual(['team:NoExecute', 'cluster.karmada.io/unreachable:NoSchedule']);
    expect(await condition('member1')).toMatchObject({ status: 'True' });
  });

  test('is back at once, without the taint; what others wrote stays', async () => {
    await fleet.members.member2.faults.start();
    await until('member2 is ready', async () => (await condition('member2'))?.status === 'True', { timeout: 12_000 });
    expect(await taints('member2')).toEqual(['team:NoExecute']);
  });
});

describe('negative controls', () => {
  test('CLU-3: a product that gives a member up after one failure is noticed', async () => {
    await using hasty = await fleet.withMutant({
      file: 'server/src/controllers/health.ts',
      from: 'const failuresToFlip = 3;',
      to: 'const failuresToFlip = 1;',
    });
    const path = '/clusterspaces/member2/api/v1/namespaces/default';
    await fleet.members.member2.faults.kill();
    const body = await until('the hasty one marks it as not ready', async () => {
      const { body } = await hasty.api.ask(path);
      return body.includes('is not ready') ? body : undefined;
    });
    expect(body).toContain('ServiceUnavailable');
    expect((await fleet.product.api.ask(path)).body).not.toContain('is not ready');
    await fleet.members.member2.faults.start();
  });
});
