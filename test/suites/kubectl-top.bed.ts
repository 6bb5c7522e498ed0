/** `kubectl top` through each endpoint: an API that the member itself has from another server (metrics-server). */

import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpointsOf, type Fleet, startFleet } from './fleet.ts';
import { apply, binding, reach, role } from './rbac.ts';

let fleet: Fleet<'member1'>;

beforeAll(async () => {
  fleet = await startFleet({ member1: { version: 'newest', workloads: true, metrics: true } });
  // nodes are known when it has started, pods after the next look at them
  await until('all pods are known', async () => (await direct('pods', '-A')).stdout.split('\n').length === 11);
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const direct = (...what: string[]) => fleet.members.member1.kubectl('top', ...what);

test('on the member itself: what its nodes and pods use', async () => {
  expect((await direct('nodes')).stdout).toMatch(
    /^NAME +CPU\(cores\) +CPU\(%\) +MEMORY\(bytes\) +MEMORY\(%\) *\nmember1-node-1 +100m +0% +\d+Mi +0% *\nmember1-node-2 +100m +0% +\d+Mi +0% *\n$/,
  );
  expect((await direct('pod', 'x')).stdout).toMatch(/^NAME +CPU\(cores\) +MEMORY\(bytes\) *\nx +10m +16Mi *\n$/);
});

describe.each(endpointsOf('member1'))('kubectl --server https://fleet%s', (at) => {
  const asks = ['nodes', 'pods', 'pods -A', 'pod x --containers', 'pods -l app=web'];

  test.each(asks)('top %s shows what the member shows', async (what) => {
    const asked = what.split(' ');
    const through = await fleet.product.kubectl('top', ...asked, { at });
    // the bed's pods use the same all the time
    expect(through).toEqual(await direct(...asked));
    expect(through.stdout.split('\n').length).toBeGreaterThan(2);
  });
});

test('AUTHZ-3: the member decides who sees it', async () => {
  const alice = { kind: 'User', name: 'alice' } as const;
  await apply(fleet.controlPlane, reach, binding('alice', 'reach', alice));
  const kubeconfig = await fleet.product.userKubeconfig('alice');
  const top = () => fleet.product.kubectl('top', 'pods', { kubeconfig, at: '/clusterspaces/member1' });
  expect((await top()).stderr).toContain('pods.metrics.k8s.io is forbidden: User "alice" cannot list');
  const usage = { apiGroups: ['metrics.k8s.io'], resources: ['pods'], verbs: ['get', 'list'] };
  await apply(fleet.members.member1, role('usage', usage), binding('alice', 'usage', alice));
  await until('alice may', async () => (await top()).code === 0);
  expect((await top()).stdout).toBe((await direct('pods')).stdout);
});

test('negative control: a product that loses a part of the path is noticed', async () => {
  await using forgetful = await fleet.withMutant({
    file: 'server/src/target/families/untouched.ts',
    from: 'wire: inner,',
    to: "wire: { ...inner, path: inner.path.replace('/namespaces/default/', '/') },",
  });
  const through = await forgetful.kubectl('top', 'pods', { at: endpointsOf('member1')[0] });
  expect(through.stdout).not.toBe((await direct('pods')).stdout);
});
