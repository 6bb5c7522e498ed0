/** `fleet get` over a fleet, held to kubectl where there is one. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { hasKubectl } from './src/kubectl.ts';
import { run } from './src/product.ts';

let fleet: SimulatedFleet;

beforeAll(async () => {
  fleet = await startFleet({ members: ['member1', 'member2'] });
  for (const [name, { client }] of fleet.members) {
    for (const key of ['a', 'b']) {
      const metadata = { name: `settings-${key}`, labels: { key, of: name } };
      const data = { html: '<b>&</b>', yes: 'yes', number: '1', lines: 'one\ntwo\n' };
      await client.create('/api/v1/namespaces/default/configmaps', { metadata, data });
    }
  }
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const get = (...args: string[]) => fleet.product.fleet('get', ...args);

describe('names, namespaces and selectors with clusters', () => {
  test('all of them, in one list', async () => {
    const { stdout } = await get('cm', '-l', 'key', '-o', 'name');
    expect(stdout.split('\n').filter(Boolean)).toEqual([
      'configmap/settings-a.clusterspace.member1',
      'configmap/settings-b.clusterspace.member1',
      'configmap/settings-a.clusterspace.member2',
      'configmap/settings-b.clusterspace.member2',
    ]);
  });

  test.each([
    [['configmap', 'settings-a.clusterspace.member2', '-o', 'name'], 'configmap/settings-a.clusterspace.member2\n'],
    [['cm/settings-a', '-n', 'default.clusterspace.member2', '-o', 'name'], 'configmap/settings-a\n'],
    [['cm', '-l', 'key=a,clusterspace=member1', '-o', 'name'], 'configmap/settings-a.clusterspace.member1\n'],
  ])('%o', async (args, stdout) => expect(await get(...args)).toEqual({ code: 0, stdout, stderr: '' }));

  test('what is not there is an error', async () => {
    expect(await get('cm', 'nope.clusterspace.member1')).toMatchObject({
      code: 1,
      stderr: 'error: configmaps "nope.clusterspace.member1" not found\n',
    });
    expect(await get('cm', '-o', 'other')).toMatchObject({ code: 2 });
  });
});

/** Ages go on between the two. */
const ageless = (text: string): string => text.replace(/ +\d+[smh](\d+s)?$/gm, ' AGE');

describe.skipIf(!hasKubectl)('as kubectl prints it', () => {
  test.each([
    'namespaces',
    'configmaps -A',
    'cm,sa -A',
    'cm -l key=a -o wide',
    'cm -l key=a -o json',
    'cm -l key=a -o yaml',
    'cm -l key=none -o yaml',
    'cm settings-a.clusterspace.member1 -o json',
    'cm settings-a.clusterspace.member1 settings-b.clusterspace.member2 -o yaml',
    'sa/default.clusterspace.member1',
    'clusterroles -o json',
    'roles.rbac.authorization.k8s.io -A',
    'pods',
    'pods -A',
    'crd -o name',
    'nonsense',
  ])('get %s', async (line) => {
    const args = ['get', ...line.split(' ')];
    const env = { KUBECONFIG: fleet.product.adminKubeconfig, KUBECACHEDIR: join(fleet.folder, 'cache') };
    const [ours, theirs] = await Promise.all([fleet.product.fleet(...args), run('kubectl', args, env)]);
    expect({ ...ours, stdout: ageless(ours.stdout) }).toEqual({ ...theirs, stdout: ageless(theirs.stdout) });
  });
});
