/** The first story of the FleetAPIServer proposal with kubectl and federation: deployed once, seen and debugged everywhere (NAME-5, NAME-6). */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { settled } from './src/cached-watching.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { hasKubectl } from './src/kubectl.ts';
import { type Ran, run } from './src/product.ts';

const members = ['alpha', 'tokyo'];
let fleet: SimulatedFleet;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  if (!hasKubectl) return;
  fleet = await startFleet({ members: [], flags: ['--federation'] });
  for (const name of members) {
    await fleet.add(name, { factor: 20 });
    const kubeconfig = join(fleet.folder, `${name}.kubeconfig`);
    const kinds = ['--federation-kinds', 'deployments.apps,pods'];
    expect(await fleet.product.fleet('join', name, '--kubeconfig', kubeconfig, ...kinds)).toMatchObject({ code: 0 });
  }
  env = { KUBECONFIG: fleet.product.adminKubeconfig, KUBECACHEDIR: join(fleet.folder, 'cache') };
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

const kubectl = (...args: string[]): Promise<Ran> => run('kubectl', args, env);

async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await kubectl(...args);
  expect(code, `${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

const labels = { app: 'shop' };
const containers = [{ name: 'web', image: 'nginx:1' }];
const template = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'shop', namespace: 'default' },
  spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
};
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'single', namespace: 'default' }, spec: { containers } };
const policy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'everywhere', namespace: 'default' },
  spec: {
    resourceSelectors: [
      { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop' },
      { apiVersion: 'v1', kind: 'Pod', name: 'single' },
    ],
    placement: { clusterAffinity: { clusterNames: members } },
  },
};

const shown = ['deployment.apps/shop', ...members.map((name) => `deployment.apps/shop.clusterspace.${name}`)];

describe.skipIf(!hasKubectl)('kubectl with federation on', () => {
  test('NAME-6: apply makes the template, which is rolled out and waited for by its plain name', async () => {
    const file = join(fleet.folder, 'shop.json');
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [template, pod, policy] }));
    expect(await printed('apply', '-f', file)).toContain('deployment.apps/shop created');
    expect(await printed('apply', '-f', file)).toContain('deployment.apps/shop unchanged');
    await printed('wait', '--for=jsonpath={.status.readyReplicas}=2', 'deployment/shop', '--timeout=60s');
    expect(await printed('rollout', 'status', 'deployment/shop', '--timeout=60s')).toContain('successfully rolled out');
  });

  test('NAME-5: get shows the template beside what it has become', async () => {
    expect((await printed('get', 'deployments', '-o', 'name')).trim().split('\n').toSorted()).toEqual(shown);
    const chosen = await printed('get', 'deployments', '-l', 'clusterspace=karmada', '-o', 'name');
    expect(chosen).toBe('deployment.apps/shop\n');
  });

  test('logs and exec of the template reach a pod of it, in whichever member', async () => {
    expect((await printed('logs', 'deployment/shop', '--tail=2')).match(/\n/g)).toHaveLength(2);
    const host = await printed('exec', 'deployment/shop', '--', 'sh', '-c', 'echo $HOSTNAME');
    expect(host).toMatch(/^shop-/);
    const all = await printed('logs', '-l', 'app=shop', '--prefix', '--tail=1');
    for (const name of members) expect(all).toContain(`.clusterspace.${name}/web]`);
    // NAME-5: so does its long name.
    await printed('logs', 'deployment/shop.clusterspace.karmada', '--tail=1');
  });

  test('FED-39: a pod by its plain name: the answer names the pods of members', async () => {
    const [name = ''] = (await printed('get', 'pods', '-l', 'app=shop', '-o', 'name')).trim().split('\n');
    const suffixed = name.slice('pod/'.length);
    const { code, stderr } = await kubectl('logs', suffixed.split('.clusterspace.')[0]!);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`members have "${suffixed}"`) });
    await vi.waitFor(async () => {
      for (const command of [
        ['logs', 'single'],
        ['exec', 'single', '--', 'ls'],
      ]) {
        const { stderr } = await kubectl(...command);
        expect(stderr).toContain('members have "single.clusterspace.alpha", "single.clusterspace.tokyo"');
      }
    }, settled);
  });

  test('NAME-6: scale, describe, explain and delete', async () => {
    await printed('scale', 'deployment', 'shop', '--replicas=2');
    await printed('wait', '--for=jsonpath={.status.readyReplicas}=4', 'deployment/shop', '--timeout=60s');
    expect(await printed('describe', 'deployment', 'shop')).toContain('ApplyPolicySucceed');
    expect(await printed('explain', 'propagationpolicy.spec.placement')).toContain('clusterAffinity');
    expect(await printed('delete', 'deployment', 'shop')).toContain('"shop" deleted');
    await vi.waitFor(async () => expect(await printed('get', 'deployments', '-o', 'name')).toBe(''), settled);
  });
});
