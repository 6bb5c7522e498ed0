/** The commands for federation on simulated clusters, as people type them. */

import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Binding } from '@fleet/federation/api/bindings.ts';
import { selfSigned } from '@fleet/federation/explore/hooks/testing/certificates.ts';
import { jsonOfYaml } from '@fleet/kube/yaml-json.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createWebhook } from '../../examples/exploring-webhook/server.ts';
import { byWeight, deployment, joinFederation } from './src/federation.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { requestAs } from './src/request.ts';

interface Deployment extends KubeObject {
  spec: { replicas: number };
  status?: { readyReplicas?: number };
}

const settled = { timeout: 30_000, interval: 200 };
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies';

const bindings = '/apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings';

let fleet: SimulatedFleet;

/** What a command prints that succeeds. */
async function run(...command: string[]): Promise<string> {
  const { code, stdout, stderr } = await fleet.product.fleet(...command);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

beforeAll(async () => {
  fleet = await startFleet({ members: ['tokyo', 'paris'], flags: ['--federation'] });
  await joinFederation(fleet, 'deployments.apps');
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

describe('fleet tree', () => {
  it('FED-1, FED-16: follows a template from its first fault to where all is well', async () => {
    await fleet.controlPlane.create(deployments, deployment('shop', 6));
    expect(await run('tree', 'deployment/shop')).toContain('First fault: no policy matches Deployment default/shop.');
    await fleet.members.get('paris')!.client.create(deployments, deployment('shop', 1));
    await fleet.controlPlane.create(policies, byWeight('shop', { tokyo: 2, paris: 1 }));
    await vi.waitFor(
      async () => expect(await run('tree', 'deploy/shop')).toContain('First fault: in paris, not applied: Deployment'),
      settled,
    );
    await fleet.members.get('paris')!.client.delete(`${deployments}/shop`);
    await vi.waitFor(async () => {
      const shown = await run('tree', 'deployment/shop');
      expect(shown).toContain('All is well: applied and healthy in paris, tokyo.');
      expect(shown).toContain('4 of 4 replicas ready');
    }, settled);
  });

  it('FED-4: names why no cluster fits', async () => {
    await run('cordon', 'paris');
    await fleet.controlPlane.create(deployments, deployment('web', 2));
    await fleet.controlPlane.create(policies, byWeight('web', { paris: 1 }));
    await vi.waitFor(
      async () =>
        expect(await run('tree', 'deployment/web')).toContain(
          'First fault: no cluster fits: paris had untolerated taint {cluster.karmada.io/unschedulable:NoSchedule}; ' +
            'tokyo did not match the placement cluster affinity constraint.',
        ),
      settled,
    );
    await run('uncordon', 'paris');
  });
});

describe('fleet schedule', () => {
  it('FED-39: predicts what the scheduler then does', async () => {
    const [template, policy] = [deployment('planned', 7), byWeight('planned', { tokyo: 3, paris: 1, oslo: 9 })];
    const files = await Promise.all(
      [template, policy].map(async (object) => {
        const path = join(fleet.folder, `${object.kind}.json`);
        await writeFile(path, JSON.stringify(object));
        return path;
      }),
    );
    const dryRun = ['schedule', '--dry-run', '-o', 'json', ...files.flatMap((path) => ['-f', path])];
    const { items } = JSON.parse(await run(...dryRun)) as { items: { clusters: object[] }[] };
    expect(items[0]!.clusters).toEqual([
      { name: 'paris', replicas: 2, is: 'chosen' },
      { name: 'tokyo', replicas: 5, is: 'chosen' },
    ]);
    expect((await fleet.controlPlane.list(deployments)).items).not.toContainEqual(
      expect.objectContaining({ metadata: expect.objectContaining({ name: 'planned' }) }),
    );
    await fleet.controlPlane.create(policies, policy);
    await fleet.controlPlane.create(deployments, template);
    await vi.waitFor(async () => {
      const { spec } = await fleet.controlPlane.get<Binding>(`${bindings}/planned-deployment`);
      expect(spec.clusters).toEqual([
        { name: 'paris', replicas: 2 },
        { name: 'tokyo', replicas: 5 },
      ]);
    }, settled);
  });
});

describe('fleet explore', () => {
  const example = join(import.meta.dirname, '../../examples/exploring-webhook');

  it('EXP-4, EXP-8: tries the example webhook, before it is configured and as the fleet has it; the metrics count its calls', async () => {
    const tls = selfSigned(['localhost']);
    const server = createWebhook(tls).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const ca = join(fleet.folder, 'webhook.crt');
      await writeFile(ca, tls.cert);
      const ask = (...flags: string[]) => run('explore', join(example, 'workload.yaml'), '--operation', ...flags);
      const url = ['--url', `https://localhost:${port}/`, '--ca', ca];
      expect(await ask('ExploreReplica', ...url)).toContain('replicas: 12');
      expect(await ask('ReviseReplica', '--replicas', '2', ...url)).toContain('path: /spec/replicas');
      const configuration = (await readFile(join(example, 'exploring-configuration.yaml'), 'utf8'))
        .replace('$' + '{CA_BUNDLE}', Buffer.from(tls.cert).toString('base64'))
        .replace('8443', String(port));
      const path = join(fleet.folder, 'configuration.yaml');
      await writeFile(path, configuration);
      const apply = (text: string, collection: string) =>
        fleet.controlPlane.create(collection, JSON.parse(jsonOfYaml(text).toString()));
      await apply(
        await readFile(join(example, 'crd.yaml'), 'utf8'),
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      );
      await vi.waitFor(
        async () => expect(await ask('ExploreHealthy', '--configuration', path)).toBe('Unhealthy\n'),
        settled,
      );
      expect(await ask('ExploreReplica')).toBe('null\n');
      await apply(configuration, '/apis/config.karmada.io/v1alpha1/resourceexploringwebhookconfigurations');
      expect(await ask('ExploreReplica')).toContain('replicas: 12');
      // Called by the pipeline this time, so the server counts it.
      const workload = JSON.parse(
        jsonOfYaml(await readFile(join(example, 'workload.yaml'), 'utf8')).toString(),
      ) as KubeObject;
      const { spec, ...policy } = byWeight('nginx', { tokyo: 1 });
      const resourceSelectors = [{ apiVersion: workload.apiVersion, kind: workload.kind, name: 'nginx' }];
      await fleet.controlPlane.create(policies, { ...policy, spec: { ...spec, resourceSelectors } });
      await fleet.controlPlane.create('/apis/workload.example.io/v1alpha1/namespaces/default/workloads', workload);
      const success = 'configuration="workloads",hook="workloads.example.com",operation="replica",result="success"';
      await vi.waitFor(async () => {
        const { body } = await requestAs(await fleet.config(), '/metrics', {}, true);
        expect(body).toContain(`fleet_explore_hook_calls_total{${success}}`);
      }, settled);
      await fleet.controlPlane.delete(`${policies}/nginx`);
      await fleet.controlPlane.delete('/apis/workload.example.io/v1alpha1/namespaces/default/workloads/nginx');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('fleet promote', () => {
  const pods = '/api/v1/namespaces/default/pods?labelSelector=app%3Dlegacy';
  const replicaSets = '/apis/apps/v1/namespaces/default/replicasets?labelSelector=app%3Dlegacy';

  it('FED-24: takes over what a member has; pods and revisions stay the same, then it follows the template', async () => {
    const { client } = fleet.members.get('tokyo')!;
    await client.create(deployments, deployment('legacy', 3));
    const uidsOf = async () => (await client.list<KubeObject>(pods)).items.map(({ metadata }) => metadata.uid).sort();
    await vi.waitFor(async () => {
      const { status } = await client.get<Deployment>(`${deployments}/legacy`);
      expect(status).toMatchObject({ readyReplicas: 3 });
    }, settled);
    const before = { uids: await uidsOf(), object: await client.get<Deployment>(`${deployments}/legacy`) };
    expect(before.uids).toHaveLength(3);

    const shown = await run('promote', 'deployment/legacy', '--cluster', 'tokyo', '--dry-run');
    expect(shown).toContain('conflictResolution: Overwrite');
    await expect(fleet.controlPlane.get(`${deployments}/legacy`)).rejects.toMatchObject({ code: 404 });
    await run('promote', 'deployment/legacy', '--cluster', 'tokyo');
    await vi.waitFor(
      async () =>
        expect(await run('tree', 'deployment/legacy')).toContain('All is well: applied and healthy in tokyo.'),
      settled,
    );
    const after = await client.get<Deployment>(`${deployments}/legacy`);
    expect(after.metadata.labels).toMatchObject({ 'karmada.io/managed': 'true' });
    expect(after.metadata.uid).toBe(before.object.metadata.uid);
    // The generation of a Deployment changes with annotations, too.
    expect(after.spec).toEqual(before.object.spec);
    expect((await client.list(replicaSets)).items).toHaveLength(1);
    expect(await uidsOf()).toEqual(before.uids);
    expect(
      await fleet.members
        .get('paris')!
        .client.get(`${deployments}/legacy`)
        .catch(({ code }) => code),
    ).toBe(404);

    await fleet.controlPlane.patch(`${deployments}/legacy`, 'merge', { spec: { replicas: 4 } });
    await vi.waitFor(async () => expect(await uidsOf()).toEqual(expect.arrayContaining(before.uids)), settled);
    await vi.waitFor(async () => expect(await uidsOf()).toHaveLength(4), settled);
  });

  it('FED-24: refuses where pods would be replaced', async () => {
    const { client } = fleet.members.get('tokyo')!;
    await client.create(deployments, deployment('pinned', 1));
    await fleet.controlPlane.create('/apis/policy.karmada.io/v1alpha1/namespaces/default/overridepolicies', {
      ...{ apiVersion: 'policy.karmada.io/v1alpha1', kind: 'OverridePolicy', metadata: { name: 'pinned' } },
      spec: {
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'pinned' }],
        overrideRules: [{ overriders: { imageOverrider: [{ component: 'Tag', operator: 'add', value: '1' }] } }],
      },
    });
    const { code, stderr } = await fleet.product.fleet('promote', 'deployment/pinned', '--cluster', 'tokyo');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('cannot be promoted without new pods: spec.template.spec.containers[0].image'),
    });
    await expect(fleet.controlPlane.get(`${deployments}/pinned`)).rejects.toMatchObject({ code: 404 });
  });
});

describe('moving from Karmada', () => {
  const pods = '/api/v1/namespaces/default/pods?labelSelector=app%3Dmoved';

  it('FED-8, FED-15: what Karmada has made in a member is taken over with its ids; no pod is restarted', async () => {
    const { client } = fleet.members.get('paris')!;
    const id = '8a2c6d0e-5f7b-4c11-9a3e-2b6f4d1c7e90';
    const claim = {
      labels: { app: 'moved', 'propagationpolicy.karmada.io/permanent-id': id },
      annotations: {
        'propagationpolicy.karmada.io/namespace': 'default',
        'propagationpolicy.karmada.io/name': 'moved',
      },
    };
    const made = deployment('moved', 2);
    await client.create(deployments, {
      ...made,
      metadata: {
        name: 'moved',
        labels: {
          ...claim.labels,
          'karmada.io/managed': 'true',
          'work.karmada.io/permanent-id': '11111111-5f7b-4c11-9a3e-2b6f4d1c7e90',
          'resourcebinding.karmada.io/permanent-id': '22222222-5f7b-4c11-9a3e-2b6f4d1c7e90',
        },
        annotations: {
          ...claim.annotations,
          'resourcebinding.karmada.io/name': 'moved-deployment',
          'resourcebinding.karmada.io/namespace': 'default',
          'resourcetemplate.karmada.io/uid': '33333333-5f7b-4c11-9a3e-2b6f4d1c7e90',
          'resourcetemplate.karmada.io/managed-labels': 'app',
          'work.karmada.io/name': 'moved-abc',
          'work.karmada.io/namespace': 'karmada-es-paris',
        },
      },
    });
    const uidsOf = async () => (await client.list<KubeObject>(pods)).items.map(({ metadata }) => metadata.uid).sort();
    await vi.waitFor(async () => {
      const { status } = await client.get<Deployment>(`${deployments}/moved`);
      expect(status).toMatchObject({ readyReplicas: 2 });
    }, settled);
    const before = await uidsOf();
    // As exported: with its id, and without Overwrite.
    const policy = byWeight('moved', { paris: 1 });
    await fleet.controlPlane.create(policies, {
      ...policy,
      metadata: { ...policy.metadata, labels: { 'propagationpolicy.karmada.io/permanent-id': id } },
    });
    await fleet.controlPlane.create(deployments, { ...made, metadata: { name: 'moved', ...claim } });
    await vi.waitFor(
      async () => expect(await run('tree', 'deployment/moved')).toContain('All is well: applied and healthy in paris.'),
      settled,
    );
    const { metadata } = await fleet.controlPlane.get<KubeObject>(`${deployments}/moved`);
    expect(metadata.labels).toMatchObject(claim.labels);
    const binding = await fleet.controlPlane.get<Binding>(`${bindings}/moved-deployment`);
    const after = await client.get<Deployment>(`${deployments}/moved`);
    expect(after.metadata.labels!['resourcebinding.karmada.io/permanent-id']).toBe(
      binding.metadata.labels!['resourcebinding.karmada.io/permanent-id'],
    );
    expect(await uidsOf()).toEqual(before);
  });
});
