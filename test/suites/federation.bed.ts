/** The guide on federation as it is written, on real clusters of two versions with a real control plane. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isEmbedded } from '@fleet/bed/embedded-control-plane.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/federation.md'), 'utf8');
const [shop = '', override = ''] = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text);

const patience = { timeout: 60_000, every: 200 };

let fleet: Fleet<'member1' | 'member2'>;

beforeAll(async () => {
  fleet = await startFleet({ member1: {}, member2: { version: 'older' } }, undefined, ['--federation']);
  for (const member of Object.values(fleet.members)) {
    await fleet.product.join(member, member.name, '--federation-kinds', 'deployments.apps');
  }
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

/** As in the guide: plain names are those of the control plane (NAME-6). */
async function kubectl(stdin: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await fleet.product.kubectl({ stdin }, ...args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

/** Of the Deployment in each member; undefined where there is none. */
const inMembers = (jsonPath: string): Promise<(string | undefined)[]> =>
  Promise.all(
    Object.values(fleet.members).map(async (member) => {
      const { code, stdout } = await member.kubectl('get', 'deployment', 'shop', '-o', `jsonpath={${jsonPath}}`);
      return code === 0 ? stdout : undefined;
    }),
  );

async function become(jsonPath: string, expected: (string | undefined)[]): Promise<void> {
  const isThere = async () => (await inMembers(jsonPath)).join() === expected.join();
  await until(`${jsonPath} is ${expected.join()}`, isThere, patience);
}

describe('FED-1: the first propagation of the guide', () => {
  test('FED-5, FED-16: is divided by weight, applied everywhere, and its status comes back', async () => {
    await kubectl(shop, 'apply', '-f', '-');
    await become('.spec.replicas', ['4', '2']);
    await kubectl('', 'wait', '--for=condition=FullyApplied', 'resourcebinding/shop-deployment', '--timeout=60s');
    const ready = () => kubectl('', 'get', 'deployment', 'shop', '-o', 'jsonpath={.status.readyReplicas}');
    await until('all replicas are reported as ready', async () => (await ready()) === '6', patience);
  });

  test('FED-7: an override changes it in one cluster', async () => {
    const image = '.spec.template.spec.containers[0].image';
    await kubectl(override, 'apply', '-f', '-');
    await become(image, ['nginx', 'registry.member2.example/nginx']);
    await kubectl(override, 'delete', '-f', '-');
    await become(image, ['nginx', 'nginx']);
  });

  test('FED-8: what somebody changes in a member is put back', async () => {
    await fleet.members.member1.kubectl('scale', 'deployment', 'shop', '--replicas=1');
    await become('.spec.replicas', ['4', '2']);
  });

  test('FED-9: nothing of it is left when the template and the policy are deleted', async () => {
    await kubectl(shop, 'delete', '-f', '-');
    await become('.spec.replicas', [undefined, undefined]);
    const left = () => kubectl('', 'get', 'works,resourcebindings,propagationpolicies', '-A', '-o', 'name');
    const isGone = async () => !(await left()).includes('shop');
    await until('no Work, binding or policy is left', isGone, patience);
  });
});

describe('FED-24: fleet promote', () => {
  test.each(['member1', 'member2'] as const)(
    'of %s: its Deployment becomes a template, its pods stay',
    async (name) => {
      const member = fleet.members[name];
      const own = `legacy-${name}`;
      const inMember = async (...args: string[]): Promise<string> => {
        const { code, stdout, stderr } = await member.kubectl(...args);
        expect({ code, stderr }).toMatchObject({ code: 0 });
        return stdout;
      };
      await inMember('create', 'deployment', own, '--image=nginx', '--replicas=2');
      await inMember('rollout', 'status', `deployment/${own}`, '--timeout=60s');
      const pods = () => inMember('get', 'pods', '-l', `app=${own}`, '-o', 'jsonpath={.items[*].metadata.uid}');
      const spec = () => inMember('get', 'deployment', own, '-o', 'jsonpath={.spec}');
      const before = { pods: await pods(), spec: await spec() };
      const promoted = await fleet.product.fleet('promote', `deployment/${own}`, '--cluster', name, '-n', 'default');
      expect(promoted).toMatchObject({ code: 0 });
      const isWell = async () =>
        (await fleet.product.fleet('tree', `deployment/${own}`)).stdout.includes('All is well');
      await until('the object is taken over', isWell, patience);
      expect(await inMember('get', 'deployment', own, '-o', 'jsonpath={.metadata.labels}')).toContain(
        'karmada.io/managed',
      );
      expect({ pods: await pods(), spec: await spec() }).toEqual(before);
      expect(before.pods.split(' ')).toHaveLength(2);
    },
  );
});

/** The message of a refusal to kubectl; empty without one. */
async function refusal(stdin: string, ...args: string[]): Promise<string> {
  const { code, stderr } = await fleet.product.kubectl({ at: '/clusterspaces/karmada', stdin }, ...args);
  return code === 0 ? '' : stderr;
}

const policy = (spec: object, kind = 'PropagationPolicy') =>
  JSON.stringify({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind,
    metadata: { name: 'refused' },
    spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'nowhere' }], ...spec },
  });
const inBank = { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'bank' }] };

describe('FED-2: faults are refused when they are written, by the control plane itself', () => {
  test('a selector of another namespace', async () => {
    const isRefused = async () =>
      (await refusal(policy(inBank), 'create', '--dry-run=server', '-f', '-')).includes('namespace');
    // A ValidatingAdmissionPolicy counts some time after it was made.
    await until('the selector is refused', isRefused, patience);
    const override = policy({ ...inBank, overrideRules: [] }, 'OverridePolicy');
    expect(await refusal(override, 'create', '--dry-run=server', '-f', '-')).toContain('namespace');
    expect(await refusal(policy(inBank, 'ClusterPropagationPolicy'), 'create', '--dry-run=server', '-f', '-')).toBe('');
    expect(await refusal(policy({}), 'create', '--dry-run=server', '-f', '-')).toBe('');
  });

  test('a changed permanent id, but not what releases a policy', async () => {
    await kubectl(policy({}), 'create', '-f', '-');
    const label = 'propagationpolicy.karmada.io/permanent-id';
    const id = () =>
      kubectl(
        '',
        'get',
        'propagationpolicy',
        'refused',
        '-o',
        `jsonpath={.metadata.labels.${label.replaceAll('.', '\\.')}}`,
      );
    await until('it has a permanent id', async () => (await id()) !== '', patience);
    expect(await refusal('', 'label', '--overwrite', 'propagationpolicy', 'refused', `${label}=other`)).toContain(
      'immutable',
    );
    expect(await refusal('', 'label', 'propagationpolicy', 'refused', `${label}-`)).toContain('immutable');
    await kubectl('', 'delete', 'propagationpolicy', 'refused', '--timeout=60s');
  });

  test('EXP-6: a webhook configuration', async () => {
    const webhook = { name: 'a.example.com', clientConfig: {}, exploreReviewVersions: ['v1alpha1'] };
    const configuration = (more: object) =>
      JSON.stringify({
        apiVersion: 'config.karmada.io/v1alpha1',
        kind: 'ResourceExploringWebhookConfiguration',
        metadata: { name: 'refused' },
        webhooks: [{ ...webhook, ...more }],
      });
    const url = 'https://hooks.example.com/a';
    for (const [more, message] of [
      [{}, 'exactly one of url'],
      [{ clientConfig: { url }, name: 'a' }, 'webhooks[0].name'],
      [{ clientConfig: { url }, exploreReviewVersions: ['v9'] }, 'v1alpha1'],
      [{ clientConfig: { url }, exploreReviewVersions: ['v1alpha1', 'v1alpha1'] }, 'unique'],
      [
        { clientConfig: { service: { name: 's', namespace: 'n', path: '/UP' } } },
        'webhooks[0].clientConfig.service.path',
      ],
    ] as const) {
      expect(await refusal(configuration(more), 'create', '--dry-run=server', '-f', '-')).toContain(message);
    }
    expect(await refusal(configuration({ clientConfig: { url } }), 'create', '--dry-run=server', '-f', '-')).toBe('');
  });

  test('FED-24: the deletion of what is protected', async () => {
    await kubectl('', 'create', 'configmap', 'kept');
    await kubectl('', 'label', 'configmap', 'kept', 'resourcetemplate.karmada.io/deletion-protected=Always');
    const isRefused = async () =>
      (await refusal('', 'delete', '--dry-run=server', 'configmap', 'kept')).includes('This resource is protected');
    await until('its deletion is refused', isRefused, patience);
    expect(await refusal('', 'delete', 'configmap', 'kept')).toContain('Forbidden');
    await kubectl('', 'label', 'configmap', 'kept', 'resourcetemplate.karmada.io/deletion-protected-');
    await kubectl('', 'delete', 'configmap', 'kept');
  });

  test.skipIf(isEmbedded)(
    'by ValidatingAdmissionPolicies, which are made again where somebody deletes them',
    async () => {
      const guard = 'validatingadmissionpolicies/fleet-deletion-protection';
      await fleet.controlPlane.kubectl('delete', guard);
      const isBack = async () => (await fleet.controlPlane.kubectl('get', guard)).code === 0;
      await until('it is there again', isBack, patience);
    },
  );
});

describe('FED-38: fleet federation disable', () => {
  test('releases what federation has made; the objects in members stay', async () => {
    await kubectl(shop, 'apply', '-f', '-');
    await become('.spec.replicas', ['4', '2']);
    const { code, stderr } = await fleet.product.fleet('federation', 'disable', '--timeout', '60');
    expect(code, stderr).toBe(0);
    await become('.metadata.labels.karmada\\.io/managed', ['', '']);
    expect(await kubectl('', 'get', 'works,resourcebindings', '-A', '-o', 'name')).toBe('');
    if (isEmbedded) return;
    const { stdout } = await fleet.controlPlane.kubectl('get', 'validatingadmissionpolicies', '-o', 'name');
    expect(stdout).not.toContain('fleet-');
  }, 180_000);
});
