/** `fleet unjoin`, and the names that a cluster may have (NAME-9), with a real control plane and a real member. */

import type { Member } from '@fleet/bed/member.ts';
import type { Product } from '@fleet/bed/product.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Joining } from './joining.ts';

let on: Joining;
let member: Member;
let product: Product;

beforeAll(async () => {
  on = await Joining.start();
  ({ member, product } = on);
});

afterAll(() => on?.[Symbol.asyncDispose]());

describe('taking a member out', () => {
  test('CLU-2: unjoin with its own kubeconfig removes all of it from both sides', async () => {
    const before = await on.bothSides();
    await product.join(member);
    expect(await product.fleet('unjoin', 'member1', '--kubeconfig', member.kubeconfig)).toMatchObject({ code: 0 });
    expect(await on.bothSides()).toEqual(before);
  });

  test('CLU-2: the kubeconfig of another cluster is refused', async () => {
    await product.join(member);
    const refused = await product.fleet('unjoin', 'member1', '--kubeconfig', on.controlPlane.kubeconfig);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('leads to another cluster') });
    await product.fleet('unjoin', 'member1', '--kubeconfig', member.kubeconfig);
  });

  test('CLU-2: a mistyped name with the kubeconfig of a live member is refused, and the member is as before', async () => {
    await product.join(member);
    const before = await on.bothSides();
    for (const more of [[], ['--force']]) {
      const refused = await product.fleet('unjoin', 'membr1', '--kubeconfig', member.kubeconfig, ...more);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('registered as "member1"') });
    }
    expect(await on.bothSides()).toEqual(before);
    expect((await product.kubectl('get', 'namespaces', { at: '/clusterspaces/member1' })).code).toBe(0);
  });

  test('IMP-5: joining again with --no-bind-admins takes cluster-admin back from the fleet’s administrators', async () => {
    const may = async () =>
      (await member.kubectl('auth', 'can-i', '*', '*', '--as', 'x', '--as-group', 'fleet:admins')).stdout.trim();
    await product.join(member);
    expect(await may()).toBe('yes');
    await product.join(member, 'member1', '--no-bind-admins');
    expect(await may()).toBe('no');
    await product.fleet('unjoin', 'member1', '--kubeconfig', member.kubeconfig);
  });

  test('the kubeconfig of an ordinary cluster is no fleet’s', async () => {
    const refused = await product.fleet('get', 'clusters', '--fleet-kubeconfig', member.kubeconfig);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`no fleet answers at ${member.server}`) });
  });

  test('IMP-5: without fleet:admins there the fleet cannot clean up; --force leaves the member as it is', async () => {
    await product.join(member, 'member1', '--no-bind-admins');
    const refused = await product.fleet('unjoin', 'member1');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--kubeconfig') });
    expect(await product.fleet('unjoin', 'member1', '--force')).toMatchObject({ code: 0 });
    expect(await on.clusters()).toBe('');
    expect((await on.bothSides()).member).toContain('Namespace /fleet-system');
    expect(await product.fleet('unjoin', 'member1', '--kubeconfig', member.kubeconfig)).toMatchObject({ code: 0 });
    expect((await on.bothSides()).member).not.toContain('Namespace /fleet-system');
  });

  test('CLU-2: a member that is gone can only be taken out by force', async () => {
    await product.join(member);
    await member.faults.kill();
    const refused = await product.fleet('unjoin', 'member1');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
    expect(await product.fleet('unjoin', 'member1', '--force')).toMatchObject({ code: 0 });
    await member.faults.start();
    await product.fleet('unjoin', 'member1', '--kubeconfig', member.kubeconfig);
  });
});

describe('NAME-9', () => {
  const manifest = (name: string) =>
    JSON.stringify({
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name },
      spec: { syncMode: 'Push' },
    });
  const bad = ['karmada', 'all', 'host', 'fleet', 'clusterspace', 'a.b', 'a'.repeat(49)];

  test.each(bad)('join refuses the name %s before it touches anything', async (name) => {
    expect(await on.joinAs(name)).toMatchObject({ code: 2 });
  });

  test.each(bad)('the control plane refuses the name %s with 422', async (name) => {
    const options = { method: 'POST', body: JSON.parse(manifest(name)) };
    const path = '/clusterspaces/karmada/apis/cluster.karmada.io/v1alpha1/clusters';
    const { code, body } = await product.api.ask(path, options);
    expect(code).toBe(422);
    expect(JSON.parse(body)).toMatchObject({ reason: 'Invalid', message: expect.stringMatching(/reserved|DNS label/) });
  });

  test('a name of 48 characters is fine', async () => {
    const name = 'a'.repeat(48);
    const made = await product.kubectl('create', '-f', '-', { at: '/clusterspaces/karmada', stdin: manifest(name) });
    expect(made).toMatchObject({ code: 0 });
    await product.kubectl('delete', 'cluster', name, { at: '/clusterspaces/karmada' });
  });
});
