import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Plan } from '../dry-run/plan.ts';
import { type FederatedFleet, put, startFederatedFleet, widgets } from '../testing/federated-fleet.ts';
import { byWeight, deployment, policy, propagated } from '../testing/propagated.ts';

let fleet: FederatedFleet;
let folder: string;

beforeEach(async () => {
  fleet = await startFederatedFleet();
  folder = await mkdtemp(join(tmpdir(), 'fleet-schedule-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

async function file(name: string, ...objects: object[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  return path;
}

async function dryRun(...objects: object[]) {
  return fleet.run('schedule', '--dry-run', '-f', await file('objects.yaml', ...objects));
}

async function planOf(...objects: object[]): Promise<Plan> {
  const path = await file('objects.yaml', ...objects);
  const { stdout } = await fleet.run('schedule', '--dry-run', '-o', 'json', '-f', path);
  return (JSON.parse(stdout) as { items: Plan[] }).items[0]!;
}

const shares = ({ clusters }: Plan) =>
  Object.fromEntries(clusters.map((one) => [one.name, one.is === 'chosen' ? one.replicas : one.reason]));

describe('FED-39: fleet schedule --dry-run', () => {
  test('FED-5: shows which clusters, how many replicas, and why not others; it writes nothing', async () => {
    fleet.join('paris');
    fleet.join('tokyo');
    fleet.join('oslo', { taints: [{ key: 'maintenance', effect: 'NoSchedule' }] });
    const template = await file('template.yaml', deployment('web', 6));
    const own = policy('web', { placement: { ...byWeight({ tokyo: 2, paris: 1, oslo: 1 })! } });
    const { stdout, stderr } = await fleet.run(
      ...['schedule', '-f', await file('policy.yaml', own), '-f', template, '--dry-run'],
    );
    expect(stdout).toBe(`Deployment shop/web, 6 replicas, by PropagationPolicy shop/web
  Cluster  Replicas  Why not
  oslo     -         had untolerated taint {maintenance:NoSchedule}
  paris    2
  tokyo    4
`);
    expect(stderr).toBe('');
    expect(fleet.controlPlane.writes).toEqual([]);
  });

  test('FED-4: no cluster fits', async () => {
    fleet.join('paris');
    const plan = await planOf(policy('web', { placement: byWeight({ oslo: 1 })! }), deployment('web', 6));
    expect(plan).toMatchObject({
      policy: { kind: 'PropagationPolicy', name: 'web' },
      scheduled: {
        status: 'False',
        reason: 'NoClusterFit',
        message: '0/1 clusters are available: 1 cluster(s) did not match the placement cluster affinity constraint.',
      },
      clusters: [{ name: 'paris', is: 'notChosen' }],
    });
  });

  test('FED-3: stored policies count, and those of the files take the place of those of the same name', async () => {
    fleet.join('paris');
    fleet.join('tokyo');
    const stored = policy('web', { priority: 1, placement: { clusterAffinity: { clusterNames: ['paris'] } } });
    put(fleet.controlPlane, 'policy.karmada.io', 'propagationpolicies', stored);
    const desired = { clusterAffinity: { clusterNames: ['tokyo'] } };
    expect(await planOf(policy('another', { placement: desired }), deployment('web', 2))).toMatchObject({
      policy: { name: 'web' },
    });
    expect(shares(await planOf(policy('web', { placement: desired }), deployment('web', 2)))).toEqual({
      paris: 'cluster(s) did not match the placement cluster affinity constraint',
      tokyo: 2,
    });
    expect(shares(await planOf(deployment('web', 2)))).toMatchObject({ paris: 2 });
  });

  test('FED-3: a template that another policy has stays with it', async () => {
    propagated(fleet);
    const other = policy('all', { priority: 9, placement: { clusterAffinity: { clusterNames: ['paris'] } } });
    expect(await planOf(other, deployment('web', 6))).toMatchObject({ policy: { name: 'web' } });
  });

  test('FED-17: divided replicas do not move to a cluster that joined; they move where the number changes', async () => {
    propagated(fleet, { policy: { placement: byWeight({ tokyo: 2, paris: 1, oslo: 3 })! } });
    const place = { group: 'work.karmada.io', resource: 'resourcebindings', namespace: 'shop' };
    const { objects } = fleet.controlPlane;
    const binding = objects.get(place, 'web-deployment');
    const annotations = {
      ...binding.metadata.annotations,
      'policy.karmada.io/applied-placement': JSON.stringify((binding['spec'] as { placement: object }).placement),
    };
    objects.replace(place, 'web-deployment', { ...binding, metadata: { ...binding.metadata, annotations } });
    fleet.join('oslo');
    const unchanged = await planOf(deployment('web', 6));
    expect(unchanged.scheduled.reason).toBe('Unchanged');
    expect(shares(unchanged)).toEqual({ oslo: expect.stringContaining('do not move'), paris: 2, tokyo: 4 });
    expect(shares(await planOf(deployment('web', 12)))).toEqual({ oslo: 6, paris: 2, tokyo: 4 });
  });

  test('no policy matches', async () => {
    const { stdout } = await dryRun(deployment('web', 6));
    expect(stdout).toBe('Deployment shop/web, 6 replicas\nNoPolicy: no policy matches Deployment shop/web\n');
  });

  test('FED-1, FED-2: a policy that would be refused is an error, a field that is not honoured a warning', async () => {
    fleet.join('paris');
    await expect(
      dryRun(
        policy('web', { suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: ['a'] } } }),
        deployment('web', 1),
      ),
    ).rejects.toThrow('PropagationPolicy shop/web would be refused: spec.suspension');
    const { stderr } = await dryRun(policy('web', { preemption: 'Always' }), deployment('web', 1));
    expect(stderr).toMatch(/^Warning: PropagationPolicy shop\/web: spec\.preemption is stored but not honoured yet/);
  });

  test('a kind without replicas gets the object', async () => {
    fleet.join('paris');
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } };
    const own = policy('web', { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] });
    expect((await dryRun(own, configMap)).stdout).toContain('  paris    the object');
  });

  test('EXP-3: the replicas of a custom kind are asked of its webhook, whose failure is the error', async () => {
    const widget: AnyObject = { apiVersion: 'example.io/v1', kind: 'Widget', metadata: { name: 'w' } };
    put(fleet.controlPlane, 'config.karmada.io', 'resourceexploringwebhookconfigurations', {
      ...{ apiVersion: 'config.karmada.io/v1alpha1', kind: 'ResourceExploringWebhookConfiguration' },
      metadata: { name: 'widgets' },
      webhooks: [
        {
          name: 'widgets.example.io',
          clientConfig: { url: 'https://127.0.0.1:1/' },
          exploreReviewVersions: ['v1alpha1'],
          rules: [{ operations: ['*'], apiGroups: [widgets.group], apiVersions: ['*'], resources: ['widgets'] }],
        },
      ],
    });
    await expect(dryRun(widget)).rejects.toThrow(/webhook "widgets\.example\.io" of .* "widgets" failed \(replica\)/);
  });

  test.each([
    [['--dry-run'], 'name the files with -f'],
    [['-f', '/nowhere'], 'only --dry-run'],
    [['-f', '/nowhere', '--dry-run'], 'ENOENT'],
  ])('called wrongly: %j', async (flags, message) => {
    await expect(fleet.run('schedule', ...flags)).rejects.toThrow(message);
  });

  test('of files without a template, or with something else', async () => {
    await expect(dryRun(policy('web'))).rejects.toThrow('there is no template');
    await expect(dryRun({ apiVersion: 'x/v1', kind: 'X', metadata: { name: 'x' } })).rejects.toThrow(
      'the control plane does not serve X of x/v1',
    );
    await expect(dryRun({ ...policy('web'), spec: {} })).rejects.toThrow('has no spec.resourceSelectors');
    await expect(dryRun({ a: 1 })).rejects.toThrow('is no object');
  });
});
