import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { PropagationPolicy } from '@fleet/federation/api/policies.ts';
import { bindingOf } from '@fleet/federation/binding/binding-of.ts';
import { claimOf, withClaim } from '@fleet/federation/claim/claim-marks.ts';
import { workName } from '@fleet/federation/work/work-name.ts';
import { workOf } from '@fleet/federation/work/work-of.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { type FederatedFleet, put, remove, startFederatedFleet } from '../testing/federated-fleet.ts';
import {
  appliedAs,
  condition,
  deployment,
  notApplied,
  policy,
  propagated,
  putBinding,
  putMemberObject,
  putWork,
} from '../testing/propagated.ts';
import type { Tree } from '../tree/tree.ts';

let fleet: FederatedFleet;

beforeEach(async () => {
  fleet = await startFederatedFleet();
});

const tree = async (...flags: string[]): Promise<string> =>
  (await fleet.run('tree', 'deployment/web', ...flags)).stdout;
const treeJson = async (): Promise<Tree> => JSON.parse(await tree('-o', 'json')) as Tree;
const lastLine = (text: string): string => text.trimEnd().split('\n\n').at(-1)!;

const putPolicy = (object: AnyObject) => put(fleet.controlPlane, 'policy.karmada.io', 'propagationpolicies', object);
const putTemplate = (object = deployment('web', 6)) => put(fleet.controlPlane, 'apps', 'deployments', object);

function warn(about: AnyObject, reason: string, message: string): void {
  put(fleet.controlPlane, '', 'events', {
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: reason.toLowerCase(), namespace: 'shop' } },
    ...{ type: 'Warning', reason, message, lastTimestamp: '2026-01-01T00:00:00Z' },
    involvedObject: { uid: about.metadata.uid! },
  });
}

describe('FED-1, FED-16: fleet tree', () => {
  test('shows the whole way of a template', async () => {
    const name = workName(propagated(fleet).template);
    expect(await tree()).toBe(`Deployment shop/web: 6 replicas
├─ PropagationPolicy shop/web
├─ ResourceBinding shop/web-deployment
│  ├─ Scheduled: True
│  └─ FullyApplied: True
├─ Cluster paris: 2 replicas, healthy
│  └─ Work karmada-es-paris/${name}
│     ├─ Applied: True
│     └─ Deployment shop/web: 2 of 2 replicas ready
└─ Cluster tokyo: 4 replicas, healthy
   └─ Work karmada-es-tokyo/${name}
      ├─ Applied: True
      └─ Deployment shop/web: 4 of 4 replicas ready

All is well: applied and healthy in paris, tokyo.
`);
  });

  test('-o json has the same, without a fault', async () => {
    propagated(fleet);
    const shown = await treeJson();
    expect(shown).toMatchObject({
      template: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web', replicas: 6 },
      policy: { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' },
      binding: { kind: 'ResourceBinding', name: 'web-deployment' },
      clusters: [
        { name: 'paris', replicas: 2, ready: true, health: 'Healthy', object: { found: true } },
        { name: 'tokyo', replicas: 4 },
      ],
    });
    expect(shown.firstFault).toBe(undefined);
    expect(await tree('-o', 'yaml')).toContain('kind: ResourceBinding');
  });

  test('of a cluster-scoped template has a cluster policy and a ClusterResourceBinding', async () => {
    fleet.join('paris');
    const { namespace: _, ...metadata } = policy('reader').metadata;
    const clusterPolicy = put(fleet.controlPlane, 'policy.karmada.io', 'clusterpropagationpolicies', {
      ...{ apiVersion: 'policy.karmada.io/v1alpha1', kind: 'ClusterPropagationPolicy' },
      metadata: { ...metadata, labels: { 'clusterpropagationpolicy.karmada.io/permanent-id': 'id' } },
      spec: { resourceSelectors: [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }] },
    });
    const claim = claimOf(clusterPolicy)!;
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'reader' } };
    const roles = ['rbac.authorization.k8s.io', 'clusterroles'] as const;
    const template = put(fleet.controlPlane, ...roles, withClaim({ ...role, rules: [] }, claim));
    put(fleet.members.get('paris')!, ...roles, { ...role, rules: [] });
    const parts = { template, policy: clusterPolicy as PropagationPolicy & AnyObject, claim, permanentId: 'b' };
    const binding = bindingOf(parts);
    put(fleet.controlPlane, 'work.karmada.io', 'clusterresourcebindings', {
      ...binding,
      spec: { ...binding.spec, clusters: [{ name: 'paris' }] },
      status: { conditions: [condition('Scheduled', 'True', 'Success')] },
    } as unknown as AnyObject);
    const work = workOf({ binding, template, cluster: 'paris', manifest: role, permanentId: 'w', suspended: false });
    putWork(fleet, { ...work, status: appliedAs('Healthy') });
    const { stdout } = await fleet.run('tree', 'clusterrole/reader');
    expect(stdout).toBe(`ClusterRole reader
├─ ClusterPropagationPolicy reader
├─ ClusterResourceBinding reader-clusterrole
│  └─ Scheduled: True
└─ Cluster paris, healthy
   └─ Work karmada-es-paris/${work.metadata.name}
      ├─ Applied: True
      └─ ClusterRole reader: there

All is well: applied and healthy in paris.
`);
  });

  test('of an object that is not a template: an error with a hint', async () => {
    await expect(tree()).rejects.toMatchObject({
      message: 'the control plane has no Deployment "web" in namespace "shop"',
      hint: expect.stringContaining('fleet promote'),
    });
  });

  test.each(['web', 'deployment/', 'deployment/a/b'])('%j names no object', async (word) => {
    await expect(fleet.run('tree', word)).rejects.toThrow();
  });

  test('with federation off: an error', async () => {
    putTemplate();
    const path = 'karmada/apis/policy.karmada.io/v1alpha1/clusterpropagationpolicies';
    fleet.answers.set(path, { status: 404, body: { kind: 'Status', code: 404, message: 'page not found' } });
    await expect(tree()).rejects.toMatchObject({ hint: expect.stringContaining('--federation') });
  });
});

describe('FED-3: the first fault is the claim', () => {
  test('no policy matches, and which come near', async () => {
    putTemplate();
    putPolicy(policy('other', { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' }] }));
    putPolicy(policy('old', { resourceSelectors: [{ apiVersion: 'apps/v1beta1', kind: 'Deployment' }] }));
    putPolicy(policy('maps', { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] }));
    expect(lastLine(await tree())).toBe(
      'First fault: no policy matches Deployment shop/web: PropagationPolicy shop/other selects the name api; ' +
        'PropagationPolicy shop/old selects apiVersion apps/v1beta1, not apps/v1.',
    );
  });

  test('a policy whose labels no longer match', async () => {
    propagated(fleet, {
      policy: {
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', labelSelector: { matchLabels: { a: 'b' } } }],
      },
    });
    expect(lastLine(await tree())).toContain(
      'its policy web no longer matches, and no policy matches Deployment shop/web',
    );
    expect(lastLine(await tree())).toContain('Its objects stay as they are');
  });

  test('a policy that has not taken it yet', async () => {
    putTemplate();
    putPolicy(policy('web'));
    expect(lastLine(await tree())).toBe('First fault: PropagationPolicy shop/web matches and is about to take it.');
  });

  test('a claim without a binding, with what the event reports', async () => {
    const { binding, template } = propagated(fleet);
    remove(fleet, 'work.karmada.io', 'resourcebindings', binding as unknown as AnyObject);
    warn(template, 'GetReplicasFailed', 'webhook "w" does not answer');
    expect(lastLine(await tree())).toBe(
      'First fault: PropagationPolicy shop/web has it, but there is no binding yet: webhook "w" does not answer.',
    );
  });

  test('FED-11: a dependency needs no policy of its own', async () => {
    const { binding } = propagated(fleet);
    const { labels: _labels, ...metadata } = binding.metadata;
    const { placement: _placement, clusters, ...spec } = binding.spec;
    const requiredBy = [{ namespace: 'shop', name: 'parent-deployment', clusters: clusters! }];
    putTemplate(deployment('web', 6));
    const policies = { group: 'policy.karmada.io', resource: 'propagationpolicies', namespace: 'shop' };
    fleet.controlPlane.objects.delete(policies, 'web');
    const id = { 'resourcebinding.karmada.io/permanent-id': 'id-of-binding' };
    putBinding(fleet, {
      ...binding,
      metadata: { ...metadata, labels: id },
      spec: { ...spec, clusters: [], requiredBy },
    });
    const shown = await tree();
    expect(shown).toContain('required by shop/parent-deployment');
    expect(shown).toContain('All is well: applied and healthy in paris, tokyo.');
  });

  test('what is never a template', async () => {
    fleet.controlPlane.objects.create(
      { group: '', resource: 'namespaces' },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } },
    );
    putTemplate(deployment('web', 1, 'kube-system'));
    expect(lastLine(await tree('-n', 'kube-system'))).toContain('Deployment kube-system/web is never propagated');
  });
});

describe('FED-4, FED-16: the first fault is the schedule', () => {
  test('no cluster fits, and why', async () => {
    const { binding } = propagated(fleet);
    putBinding(fleet, {
      ...binding,
      spec: { ...binding.spec, clusters: [], placement: { clusterAffinity: { clusterNames: ['oslo'] } } },
      status: { conditions: [condition('Scheduled', 'False', 'NoClusterFit', '0/2 clusters are available')] },
    });
    fleet.join('oslo', { taints: [{ key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' }] });
    expect(lastLine(await tree())).toBe(
      'First fault: no cluster fits: oslo had untolerated taint {cluster.karmada.io/unschedulable:NoSchedule}; ' +
        'paris did not match the placement cluster affinity constraint; tokyo did not match the placement cluster affinity constraint.',
    );
  });

  test.each([
    [{ suspension: { scheduling: true } }, 'scheduling is suspended'],
    [{ replicas: 5 }, 'the change to 6 replicas is not in the binding yet'],
    [{ schedulerName: 'mine' }, 'left to the scheduler "mine"'],
  ])('%j', async (spec, text) => {
    const { binding } = propagated(fleet);
    putBinding(fleet, { ...binding, spec: { ...binding.spec, ...spec } });
    expect(lastLine(await tree())).toContain(text);
  });
});

test('FED-5: 0 replicas, which no cluster has', async () => {
  const { binding, template } = propagated(fleet);
  putTemplate({ ...template, spec: { ...(template['spec'] as object), replicas: 0 } });
  putBinding(fleet, { ...binding, spec: { ...binding.spec, replicas: 0, clusters: [] } });
  expect(lastLine(await tree())).toBe('First fault: it has 0 replicas, so no cluster has it.');
});

test('FED-17: a change that the scheduler has not seen', async () => {
  const { binding } = propagated(fleet);
  const { generation = 1 } = binding.metadata;
  putBinding(fleet, { ...binding, status: { ...binding.status!, schedulerObservedGeneration: generation - 1 } });
  expect(lastLine(await tree())).toBe('First fault: the last change has not been scheduled yet.');
});

describe('FED-7, FED-8, FED-20: the first fault is in a cluster', () => {
  const workOfCluster = (cluster: string) => propagated(fleet).works.get(cluster)!;

  test('an override that cannot be applied', async () => {
    propagated(fleet);
    put(fleet.controlPlane, 'policy.karmada.io', 'overridepolicies', {
      ...{ apiVersion: 'policy.karmada.io/v1alpha1', kind: 'OverridePolicy' },
      metadata: { name: 'broken', namespace: 'shop' },
      spec: {
        overrideRules: [
          {
            targetCluster: { clusterNames: ['tokyo'] },
            overriders: { plaintext: [{ path: '/spec/nowhere/x', operator: 'replace', value: 1 }] },
          },
        ],
      },
    });
    const fault = lastLine(await tree());
    expect(fault).toContain('First fault: in tokyo, an override cannot be applied: ');
    expect(fault).toContain('broken');
  });

  test('a policy that is suspended', async () => {
    const { binding, works } = propagated(fleet);
    const suspension = { dispatchingOnClusters: { clusterNames: ['tokyo'] } };
    putBinding(fleet, { ...binding, spec: { ...binding.spec, suspension } });
    putWork(fleet, { ...works.get('tokyo')!, spec: { ...works.get('tokyo')!.spec, suspendDispatching: true } });
    expect(lastLine(await tree())).toBe(
      'First fault: in tokyo, the policy is suspended (spec.suspension.dispatchingOnClusters): nothing is sent.',
    );
  });

  test('an object that exists, and is not managed', async () => {
    const message =
      'resource(kind=Deployment, shop/web) already exists in the cluster tokyo and the work.karmada.io/conflict-resolution strategy value is empty, it is not managed by the federation';
    putWork(fleet, { ...workOfCluster('tokyo'), status: notApplied(message) });
    const fault = lastLine(await tree());
    expect(fault).toContain('in tokyo, not applied: Deployment shop/web exists there and is not managed');
    expect(fault).toContain('conflictResolution: Overwrite');
  });

  test('what the product is not allowed to write', async () => {
    putWork(fleet, { ...workOfCluster('tokyo'), status: notApplied('deployments.apps is forbidden') });
    expect(lastLine(await tree())).toContain('"fleet join tokyo --federation-kinds"');
  });

  test('an unhealthy one, with the first pod that has a reason', async () => {
    putWork(fleet, { ...workOfCluster('tokyo'), status: appliedAs('Unhealthy') });
    putMemberObject(fleet, 'tokyo', { ...deployment('web', 4), status: { readyReplicas: 1 } });
    const pod = (name: string, waiting: object) =>
      put(fleet.members.get('tokyo')!, '', 'pods', {
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop', labels: { app: 'web' } } },
        status: { containerStatuses: [{ name: 'web', state: { waiting } }] },
      });
    pod('web-1', { reason: 'ContainerCreating' });
    pod('web-2', { reason: 'ImagePullBackOff', message: 'no such image' });
    expect(lastLine(await tree())).toBe(
      'First fault: in tokyo, unhealthy: 1 of 4 replicas ready; pod web-2: container web: ImagePullBackOff, no such image.',
    );
  });

  test('a cluster that is not ready', async () => {
    const { works } = propagated(fleet);
    fleet.join('tokyo', { ready: false });
    putWork(fleet, { ...works.get('tokyo')!, status: notApplied('cluster(tokyo) not ready') });
    expect(lastLine(await tree())).toBe('First fault: in tokyo, the cluster is not ready, so it waits: no route.');
    expect((await treeJson()).clusters.map(({ name, ready }) => [name, ready])).toEqual([
      ['paris', true],
      ['tokyo', false],
    ]);
  });

  test('an earlier step before a later one, and how many more there are', async () => {
    const { works } = propagated(fleet);
    putWork(fleet, { ...works.get('paris')!, status: appliedAs('Unhealthy') });
    putWork(fleet, { ...works.get('tokyo')!, status: notApplied('quota') });
    expect(lastLine(await tree())).toBe('First fault: in tokyo, not applied: quota.\n1 more cluster has a fault, too.');
  });

  test('a Work that is not there, and its event', async () => {
    const { works, template } = propagated(fleet);
    remove(fleet, 'work.karmada.io', 'works', works.get('tokyo') as unknown as AnyObject);
    warn(template, 'SyncWorkFailed', 'the hook failed');
    expect(lastLine(await tree())).toBe('First fault: in tokyo, there is no Work yet: the hook failed.');
  });

  test('a Work that is older than the template, and its event', async () => {
    const { template } = propagated(fleet);
    put(fleet.controlPlane, 'apps', 'deployments', {
      ...template,
      metadata: { ...template.metadata, generation: 5 },
      spec: { ...(template['spec'] as object), paused: true },
    });
    expect(lastLine(await tree())).toContain('First fault: in paris, its Work is older than the template.');
    warn(template, 'SyncWorkFailed', 'webhook "w" failed');
    expect(lastLine(await tree())).toContain('its Work is older than the template: webhook "w" failed.');
  });

  test('an object that is older than its Work', async () => {
    const { works } = propagated(fleet);
    const [manifest] = works.get('tokyo')!.spec.workload!.manifests!;
    const generation = { 'resourcetemplate.karmada.io/generation': '0' };
    const annotations = { ...manifest!.metadata.annotations, ...generation };
    putMemberObject(fleet, 'tokyo', { ...manifest!, metadata: { ...manifest!.metadata, annotations } });
    expect(lastLine(await tree())).toContain('in tokyo, the object there is older than its Work');
  });

  test('a Work that is to go', async () => {
    const { binding } = propagated(fleet);
    putBinding(fleet, { ...binding, spec: { ...binding.spec, clusters: [{ name: 'paris', replicas: 6 }] } });
    expect(await tree()).toContain('Cluster tokyo, leaving');
    expect(lastLine(await tree())).toBe('First fault: in tokyo, its object is to be removed there.');
  });

  test('one that the user may not read hides no other', async () => {
    propagated(fleet);
    const body = { kind: 'Status', code: 403, message: 'deployments.apps "web" is forbidden' };
    fleet.answers.set('tokyo/apis/apps/v1/namespaces/shop/deployments/web', { status: 403, body });
    expect(await tree()).toContain('not read: deployments.apps "web" is forbidden');
    expect(await tree()).toContain('2 of 2 replicas ready');
  });
});
