import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type FederatedFleet, put, startFederatedFleet } from '../testing/federated-fleet.ts';
import { deployment, policy, propagated, putMemberObject } from '../testing/propagated.ts';

let fleet: FederatedFleet;

const inShop = (group: string, resource: string) => ({ group, resource, namespace: 'shop' });
const deployments = inShop('apps', 'deployments');
const policies = inShop('policy.karmada.io', 'propagationpolicies');

const promote = (...flags: string[]) => fleet.run('promote', 'deployment/web', '--cluster', 'tokyo', ...flags);
const written = () => fleet.controlPlane.writes;
const stored = (of: typeof deployments): AnyObject[] => fleet.controlPlane.objects.list(of);

beforeEach(async () => {
  fleet = await startFederatedFleet();
  fleet.join('tokyo');
});

/** As a member has it: with what its server and its controllers wrote. */
const running = (more: Partial<AnyObject['metadata']> = {}): AnyObject => {
  const object = deployment('web', 3);
  return {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { 'deployment.kubernetes.io/revision': '4', team: 'blue' },
      finalizers: ['example.io/keep'],
      ...more,
    },
    status: { readyReplicas: 3 },
  };
};

describe('FED-24: fleet promote', () => {
  test('writes a template of what the member has, and a policy that takes over what is there', async () => {
    putMemberObject(fleet, 'tokyo', running());
    const { stdout, stderr } = await promote();
    const [template] = stored(deployments);
    expect(template).toMatchObject({ spec: deployment('web', 3)['spec'] });
    expect(template!['status']).toBe(undefined);
    expect(template!.metadata).toMatchObject({ labels: { app: 'web' }, annotations: { team: 'blue' } });
    expect(template!.metadata.finalizers).toBe(undefined);
    expect(template!.metadata.annotations).toEqual({ team: 'blue' });
    expect(stored(policies)[0]).toMatchObject({
      metadata: { name: 'web-deployment' },
      spec: {
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
        conflictResolution: 'Overwrite',
        placement: { clusterAffinity: { clusterNames: ['tokyo'] } },
      },
    });
    // No other policy may take the template meanwhile.
    expect(written().map((write) => write.split('/').at(-1))).toEqual(['propagationpolicies', 'deployments']);
    expect(fleet.members.get('tokyo')!.writes).toEqual([]);
    expect(stdout).toBe('');
    expect(stderr).toContain(
      'Deployment shop/web of tokyo is a template now, by PropagationPolicy shop/web-deployment.',
    );
    expect(stderr).toContain('"fleet tree deployment/web -n shop"');
  });

  test('--dry-run prints what would be written, and writes nothing', async () => {
    putMemberObject(fleet, 'tokyo', running());
    const { stdout } = await promote('--dry-run');
    const objects = parseAllDocuments(stdout).map((document) => document.toJS() as AnyObject);
    expect(objects.map(({ kind }) => kind)).toEqual(['PropagationPolicy', 'Deployment']);
    expect(written()).toEqual([]);
    const json = JSON.parse((await promote('--dry-run', '-o', 'json')).stdout) as { items: AnyObject[] };
    expect(json.items).toEqual(objects);
  });

  test('an object without namespace gets a cluster policy', async () => {
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'reader' } };
    put(fleet.members.get('tokyo')!, 'rbac.authorization.k8s.io', 'clusterroles', { ...role, rules: [] });
    await fleet.run('promote', 'clusterrole/reader', '--cluster', 'tokyo');
    const clusterPolicies = { group: 'policy.karmada.io', resource: 'clusterpropagationpolicies' };
    expect(fleet.controlPlane.objects.list(clusterPolicies)).toMatchObject([
      { metadata: { name: 'reader-clusterrole' } },
    ]);
  });

  test('FED-12: what an autoscaler of the member scales keeps its replicas', async () => {
    putMemberObject(fleet, 'tokyo', running());
    put(fleet.members.get('tokyo')!, 'autoscaling', 'horizontalpodautoscalers', {
      ...{
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'web', namespace: 'shop' },
      },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' } },
    });
    await promote();
    expect(stored(deployments)[0]!.metadata.labels).toEqual({
      app: 'web',
      'resourcetemplate.karmada.io/retain-replicas': 'true',
    });
  });

  test('an override that would replace the pods is refused, one of other clusters is not', async () => {
    putMemberObject(fleet, 'tokyo', running());
    const override = (cluster: string) => ({
      ...{ apiVersion: 'policy.karmada.io/v1alpha1', kind: 'OverridePolicy' },
      metadata: { name: 'registry', namespace: 'shop' },
      spec: {
        overrideRules: [
          {
            targetCluster: { clusterNames: [cluster] },
            overriders: { imageOverrider: [{ component: 'Tag', operator: 'replace', value: '2' }] },
          },
        ],
      },
    });
    put(fleet.controlPlane, 'policy.karmada.io', 'overridepolicies', override('tokyo'));
    await expect(promote()).rejects.toThrow(
      'cannot be promoted without new pods: spec.template.spec.containers[0].image would change',
    );
    expect(written()).toEqual([]);
    put(fleet.controlPlane, 'policy.karmada.io', 'overridepolicies', override('paris'));
    await promote();
    expect(stored(deployments)).toHaveLength(1);
  });

  test('FED-3: where another policy would take it, nothing is written', async () => {
    putMemberObject(fleet, 'tokyo', running());
    const selectors = [{ apiVersion: 'apps/v1', kind: 'Deployment' }];
    const all = policy('all', { priority: 5, resourceSelectors: selectors });
    put(fleet.controlPlane, 'policy.karmada.io', 'propagationpolicies', all);
    await expect(promote()).rejects.toThrow('PropagationPolicy shop/all would take it');
    expect(written()).toEqual([]);
    // The name is more specific.
    put(
      fleet.controlPlane,
      'policy.karmada.io',
      'propagationpolicies',
      policy('all', { resourceSelectors: selectors }),
    );
    await promote();
    expect(stored(deployments)).toHaveLength(1);
  });

  test('a template that cannot be written leaves no policy', async () => {
    putMemberObject(fleet, 'tokyo', running());
    fleet.controlPlane.onRequest = ({ verb, resource }) => {
      if (verb === 'create' && resource === 'deployments') throw new Error('full');
    };
    await expect(promote()).rejects.toThrow();
    expect(stored(policies)).toEqual([]);
  });

  test.each<[string, Partial<AnyObject['metadata']>, string]>([
    ['managed', { labels: { 'karmada.io/managed': 'true' } }, 'belongs to a template already'],
    [
      'made by another',
      { ownerReferences: [{ apiVersion: 'x/v1', kind: 'Shop', name: 's', uid: 'u', controller: true }] },
      'is made by Shop "s"',
    ],
  ])('one that is %s is refused', async (_name, metadata, message) => {
    fleet.answers.set('tokyo/apis/apps/v1/namespaces/shop/deployments/web', { status: 200, body: running(metadata) });
    await expect(promote()).rejects.toThrow(message);
    expect(written()).toEqual([]);
  });

  test('names what is missing', async () => {
    await expect(promote()).rejects.toThrow('tokyo has no Deployment "web" in namespace "shop"');
    await expect(fleet.run('promote', 'deployment/web', '--cluster', 'rohan')).rejects.toThrow(
      'there is no cluster "rohan"',
    );
    put(fleet.members.get('tokyo')!, '', 'namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'own' },
    });
    putMemberObject(fleet, 'tokyo', deployment('web', 1, 'own'));
    await expect(promote('-n', 'own')).rejects.toThrow('the control plane has no namespace "own"');
  });

  test('a template that is there already', async () => {
    propagated(fleet);
    putMemberObject(fleet, 'tokyo', running());
    const { uid } = stored(deployments)[0]!.metadata;
    const path = 'karmada/apis/apps/v1/namespaces/shop/deployments';
    fleet.answers.set(path, {
      status: 409,
      body: { kind: 'Status', code: 409, reason: 'AlreadyExists', message: 'is' },
    });
    await expect(promote()).rejects.toThrow('the control plane has a Deployment shop/web already');
    expect(stored(deployments)[0]!.metadata.uid).toBe(uid);
  });
});
