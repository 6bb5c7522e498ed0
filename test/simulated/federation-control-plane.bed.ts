/** The embedded control plane with federation on, over simulated clusters: what it refuses, what it does by itself, and turning it off. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { command, run } from './src/product.ts';

const settled = { timeout: 30_000, interval: 200 };
const maps = '/api/v1/namespaces/default/configmaps';
const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies';
const works = '/apis/work.karmada.io/v1alpha1/works';
const bindings = '/apis/work.karmada.io/v1alpha2/resourcebindings';
const configurations = '/apis/config.karmada.io/v1alpha1/resourceexploringwebhookconfigurations';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';

let fleet: SimulatedFleet;

beforeAll(async () => {
  fleet = await startFleet({ members: ['tokyo', 'paris'], flags: ['--federation'] });
  for (const name of fleet.members.keys()) {
    const kubeconfig = join(fleet.folder, `${name}.kubeconfig`);
    const { code, stderr } = await fleet.product.fleet(
      ...['join', name, '--kubeconfig', kubeconfig, '--federation-kinds', 'configmaps'],
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
  }
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

const policy = (spec: object = {}) => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'settings' },
  spec: {
    resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' }],
    placement: { clusterAffinity: { clusterNames: ['tokyo', 'paris'] } },
    ...spec,
  },
});

const inMember = (name: string): Promise<KubeObject | undefined> =>
  fleet.members
    .get(name)!
    .client.get<KubeObject>(`${maps}/settings`)
    .catch((error: { code: number }) => {
      if (error.code === 404) return undefined;
      throw error;
    });

async function propagate(): Promise<void> {
  await fleet.controlPlane.create(maps, { metadata: { name: 'settings' }, data: { a: 'b' } });
  await fleet.controlPlane.create(policies, policy());
  await vi.waitFor(async () => {
    for (const name of fleet.members.keys())
      expect((await inMember(name))?.metadata.labels).toMatchObject({ 'karmada.io/managed': 'true' });
  }, settled);
}

describe('writes to the control plane through the product', () => {
  it('FED-2: a policy that makes no sense is refused', async () => {
    const inBank = { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'bank' }] };
    await expect(fleet.controlPlane.create(policies, policy(inBank))).rejects.toMatchObject({ code: 422 });
  });

  it('FED-1, FED-19: what is not honoured, and versions that select nothing, are warned of', async () => {
    const written = policy({
      activationPreference: 'Lazy',
      resourceSelectors: [{ apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' }],
    });
    const { upstream } = fleet.controlPlane;
    const { status, headers, body } = await upstream.call({
      method: 'POST',
      path: `${policies}?dryRun=All`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: Buffer.from(JSON.stringify(written)),
      signal: AbortSignal.timeout(10_000),
    });
    await body.bytes(1e6);
    expect(status).toBe(201);
    const warnings = [headers['warning']].flat().join('\n');
    expect(warnings).toContain('spec.activationPreference is stored but not honoured yet');
    expect(warnings).toContain('autoscaling/v1 selects no HorizontalPodAutoscaler: use autoscaling/v2');
  });

  it('FED-24: what is protected cannot be deleted', async () => {
    const labels = { 'resourcetemplate.karmada.io/deletion-protected': 'Always' };
    await fleet.controlPlane.create(maps, { metadata: { name: 'kept', labels } });
    await expect(fleet.controlPlane.delete(`${maps}/kept`)).rejects.toMatchObject({
      code: 403,
      message: expect.stringContaining('This resource is protected'),
    });
  });
});

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const hook = {
  apiVersion: 'config.karmada.io/v1alpha1',
  kind: 'ResourceExploringWebhookConfiguration',
  metadata: { name: 'widgets' },
  webhooks: [
    {
      name: 'widgets.example.com',
      clientConfig: { service: { namespace: 'hooks', name: 'widgets' } },
      exploreReviewVersions: ['v1alpha1'],
      rules: [
        { operations: ['ExploreReplica'], apiGroups: ['example.com'], apiVersions: ['*'], resources: ['widgets'] },
      ],
    },
  ],
};

describe('the embedded control plane with federation on', () => {
  it('FED-19: a new kind’s objects are seen within 5 s', async () => {
    const selectors = [{ apiVersion: 'example.com/v1', kind: 'Widget' }];
    await fleet.controlPlane.create(policies, {
      ...policy({ resourceSelectors: selectors }),
      metadata: { name: 'widgets' },
    });
    await fleet.controlPlane.create(definitions, definition);
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' }, spec: {} };
    await vi.waitFor(() => fleet.controlPlane.create(widgets, widget), settled);
    await vi.waitFor(
      async () => {
        const { metadata } = await fleet.controlPlane.get<KubeObject>(`${widgets}/one`);
        expect(metadata.labels).toHaveProperty(['propagationpolicy.karmada.io/permanent-id']);
      },
      { timeout: 5_000, interval: 100 },
    );
  });

  it('EXP-5: a Service that is nowhere makes its webhook fail, with an event that names both', async () => {
    await fleet.controlPlane.create(configurations, hook);
    await vi.waitFor(async () => {
      const { items } = await fleet.controlPlane.get<{ items: { message: string }[] }>(
        '/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind=Widget,reason=GetReplicasFailed',
      );
      expect(items[0]?.message).toContain('webhook "widgets.example.com" of ResourceExploringWebhookConfiguration');
      expect(items[0]?.message).toContain('its service hooks/widgets cannot be resolved');
    }, settled);
    await fleet.controlPlane.delete(`${configurations}/widgets`);
    await fleet.controlPlane.delete(`${policies}/widgets`);
    await fleet.controlPlane.delete(`${definitions}/widgets.example.com`);
    await vi.waitFor(async () => {
      await expect(fleet.controlPlane.get(`${policies}/widgets`)).rejects.toMatchObject({ code: 404 });
      const { items } = await fleet.controlPlane.get<{ items: object[] }>(bindings);
      expect(items).toEqual([]);
    }, settled);
  });

  it('FED-19: a finished Job is removed after its time', async () => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } };
    for (const [name, ttlSecondsAfterFinished] of [
      ['short', 1],
      ['long', 3_600],
    ] as const) {
      await fleet.controlPlane.create(jobs, { metadata: { name }, spec: { ttlSecondsAfterFinished, template } });
      const time = new Date().toISOString();
      const condition = { status: 'True', lastProbeTime: time, lastTransitionTime: time };
      const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ ...condition, type }));
      const status = { startTime: time, completionTime: time, succeeded: 1, conditions };
      await fleet.controlPlane.patch(`${jobs}/${name}/status`, 'merge', { status });
    }
    await vi.waitFor(async () => {
      await expect(fleet.controlPlane.get(`${jobs}/short`)).rejects.toMatchObject({ code: 404 });
    }, settled);
    expect(await fleet.controlPlane.get(`${jobs}/long`)).toBeDefined();
  });
});

describe('FED-38: fleet federation disable', () => {
  it('the server refuses to start without --federation while its finalizers exist, and names the command', async () => {
    await propagate();
    await fleet.product.stop('SIGTERM');
    const serve = ['serve', '--data-dir', fleet.product.dataDir, '--listen', '127.0.0.1:0'];
    const { code, stderr } = await run(process.execPath, [command, ...serve]);
    expect(code).toBe(1);
    expect(stderr).toContain('run "fleet federation disable"');
    await fleet.product.startAgain();
  });

  it('releases everything; objects in members stay, without marks', async () => {
    const { code, stderr } = await fleet.product.fleet('federation', 'disable');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toMatch(
      /^Left of the federation: 1 propagationpolicies, 1 resourcebindings, \d+ works, 2 clusters\.$/m,
    );
    expect(stderr).toContain('✓ Objects in members are released');
    for (const name of fleet.members.keys()) {
      const { metadata, ...object } = (await inMember(name))!;
      expect(object).toMatchObject({ data: { a: 'b' } });
      expect(JSON.stringify({ labels: metadata.labels, annotations: metadata.annotations })).not.toContain('karmada');
    }
    expect((await fleet.controlPlane.get<{ items: object[] }>(works)).items).toEqual([]);
    const again = await fleet.product.fleet('federation', 'disable');
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing of the federation is left') });
  });

  it('can be turned on again; a member that cannot be reached is shown, and waited for until it is removed', async () => {
    expect(await fleet.product.fleet('federation', 'enable')).toMatchObject({ code: 0 });
    await fleet.controlPlane.patch(`${policies}/settings`, 'merge', { spec: { conflictResolution: 'Overwrite' } });
    await vi.waitFor(async () => {
      for (const name of fleet.members.keys())
        expect((await inMember(name))?.metadata.labels).toMatchObject({ 'karmada.io/managed': 'true' });
    }, settled);
    await fleet.members.get('paris')![Symbol.asyncDispose]();
    const { code, stderr } = await fleet.product.fleet(
      ...['federation', 'disable', '--delete-workloads', '--timeout', '10'],
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/this is left: works karmada-es-paris\/.*Repeat the command/);
    expect(await inMember('tokyo')).toBe(undefined);
    // It never comes back.
    await fleet.product.fleet('unjoin', 'paris', '--force');
    const again = await fleet.product.fleet('federation', 'disable', '--delete-workloads');
    expect(again, await readFile(fleet.product.log, 'utf8')).toMatchObject({ code: 0 });
    const { items } = await fleet.controlPlane.get<{ items: KubeObject[] }>(clusters);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['tokyo']);
    expect(items[0]?.metadata.finalizers ?? []).not.toContain('karmada.io/cluster-controller');
  }, 150_000);

  it('then the server starts without --federation, and nothing is protected any more', async () => {
    await fleet.product.stop('SIGTERM');
    await fleet.product.startAgain('--federation=false');
    expect(await fleet.controlPlane.get(`${maps}/settings`)).toMatchObject({ data: { a: 'b' } });
    await expect(fleet.controlPlane.delete(`${maps}/kept`)).resolves.toBeDefined();
  });
});
