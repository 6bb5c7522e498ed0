/** Differences between kube-apiserver's internal types and all versions of a kind. */

import { describe, expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const partial = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const workload = { metadata: { name: 'a' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
const initial = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const autoscalers = (version: string) => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const scaleTargetRef = { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' };
const apps = '/apis/apps/v1/namespaces/default';

describe('COMPAT-4: Tables and metadata are of no version', () => {
  it('they are without the annotations that a version has for fields', async () => {
    const { ask } = await openServer();
    const made = await ask('POST', `${apps}/daemonsets`, workload);
    expect(made.body.metadata).toHaveProperty('annotations');
    const { body: metadata } = await ask('GET', `${apps}/daemonsets/a`, undefined, partial);
    expect(metadata.metadata).not.toHaveProperty('annotations');
    const { body: list } = await ask('GET', `${apps}/daemonsets`, undefined, table);
    const [row] = list['rows'] as { object: { metadata: object } }[];
    expect(row!.object.metadata).not.toHaveProperty('annotations');

    const behavior = { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }] } };
    await ask('POST', autoscalers('v2'), {
      metadata: { name: 'a' },
      spec: { scaleTargetRef, maxReplicas: 3, behavior },
    });
    const older = await ask('GET', `${autoscalers('v1')}/a`);
    expect(older.body.metadata).toHaveProperty(['annotations', 'autoscaling.alpha.kubernetes.io/behavior']);
    const shown = await ask('GET', `${autoscalers('v1')}/a`, undefined, partial);
    expect(shown.body.metadata).not.toHaveProperty('annotations');
  });

  it.each([
    ['deployments', { spec: { replicas: 0 } }],
    ['replicasets', { spec: { replicas: 0 } }],
    ['statefulsets', { spec: { replicas: 0 } }],
    ['daemonsets', { metadata: { annotations: { 'deprecated.daemonset.template.generation': '0' } } }],
  ])('a bookmark of %s has what Go makes of nothing', async (resource, shown) => {
    const { watch } = await openServer();
    const events = await watch(`${apps}/${resource}?${initial}`);
    const { value } = await events.next();
    expect(value).toMatchObject({ type: 'BOOKMARK', object: shown });
  });

  it('a Scale has no format for its name, a pod that is through has a condition, and a Status stays one', async () => {
    const { ask } = await openServer();
    await ask('POST', `${apps}/replicasets`, workload);
    const { body: scale } = await ask('GET', `${apps}/replicasets/a/scale`, undefined, table);
    expect((scale['columnDefinitions'] as object[])[0]).toMatchObject({ name: 'Name', format: '' });

    const pods = '/api/v1/namespaces/default/pods';
    await ask('POST', pods, { metadata: { name: 'p' }, spec: template.spec });
    await ask(
      'PATCH',
      `${pods}/p/status`,
      { status: { phase: 'Failed' } },
      { 'content-type': 'application/merge-patch+json' },
    );
    const { body: list } = await ask('GET', pods, undefined, table);
    expect((list['rows'] as object[])[0]).toMatchObject({
      conditions: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
    });
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
    const evicted = await ask('POST', `${pods}/p/eviction`, eviction, partial);
    expect(evicted.body).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Success' });
  });
});

describe('COMPAT-4: fields that name the same', () => {
  it('a HorizontalPodAutoscaler of the older version owns its default, and has zero replicas', async () => {
    const { ask } = await openServer();
    const { body } = await ask('POST', autoscalers('v1'), {
      metadata: { name: 'a' },
      spec: { scaleTargetRef, maxReplicas: 3 },
    });
    const [owner] = body.metadata!['managedFields'] as { fieldsV1: object }[];
    expect(owner!.fieldsV1).toHaveProperty(['f:spec', 'f:targetCPUUtilizationPercentage']);
    const merge = { 'content-type': 'application/merge-patch+json' };
    const patched = await ask('PATCH', `${autoscalers('v1')}/a`, { spec: { maxReplicas: 4 } }, merge);
    expect(patched.body['status']).toEqual({ currentReplicas: 0, desiredReplicas: 0 });
    const newer = await ask('GET', `${autoscalers('v2')}/a`);
    expect(newer.body['status']).not.toHaveProperty('currentReplicas');
  });

  it('a configuration of the older version that leaves fields out is applied', async () => {
    const { ask, internalErrors } = await openServer();
    const apply = (version: string, spec: object) =>
      ask(
        'PATCH',
        `${autoscalers(version)}/a?fieldManager=m&force=true`,
        { apiVersion: `autoscaling/${version}`, kind: 'HorizontalPodAutoscaler', metadata: { name: 'a' }, spec },
        { 'content-type': 'application/apply-patch+yaml' },
      );
    expect((await apply('v1', { scaleTargetRef, maxReplicas: 3 })).status).toBe(201);
    expect((await apply('v2', { scaleTargetRef, maxReplicas: 4 })).status).toBe(200);
    expect((await apply('v1', { scaleTargetRef, maxReplicas: 5 })).status).toBe(200);
    expect(internalErrors).toEqual([]);
  });

  it.each([
    [{ podCIDR: '10.0.0.0/24' }, { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] }],
    [{ podCIDRs: ['10.0.0.0/24'] }, { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] }],
    [
      { podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.0.0/24'] },
      { podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.1.0/24'] },
    ],
  ])('a Node with %j', async (spec, shown) => {
    const { ask } = await openServer();
    const { body } = await ask('POST', '/api/v1/nodes', { metadata: { name: 'n' }, spec });
    expect(body['spec']).toMatchObject(shown);
  });

  it('the address of a pod', async () => {
    const { ask } = await openServer();
    const pods = '/api/v1/namespaces/default/pods';
    await ask('POST', pods, { metadata: { name: 'p' }, spec: template.spec });
    const merge = { 'content-type': 'application/merge-patch+json' };
    const set = (status: object) => ask('PATCH', `${pods}/p/status`, { status }, merge);
    expect((await set({ podIP: '10.0.0.1' })).body['status']).toMatchObject({ podIPs: [{ ip: '10.0.0.1' }] });
    const refused = await set({ hostIPs: [{ ip: '10.0.0.2' }], podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.3' }] });
    expect(refused.body['message']).toBe(
      'Pod "p" is invalid: [status.hostIPs[0].ip: Invalid value: "10.0.0.2": must be equal to `hostIP`, status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.3"}]: may specify no more than one IP for each IP family]',
    );
  });

  it('an ExternalName has no internal traffic policy, and one address is a list', async () => {
    const { ask } = await openServer();
    const services = '/api/v1/namespaces/default/services';
    const spec = { type: 'ExternalName', externalName: 'a.example', internalTrafficPolicy: 'Local' };
    const { body } = await ask('POST', services, { metadata: { name: 's' }, spec });
    expect(body['spec']).not.toHaveProperty('internalTrafficPolicy');
    const wrong = { ...spec, internalTrafficPolicy: 'No' };
    expect((await ask('POST', services, { metadata: { name: 't' }, spec: wrong })).status).toBe(422);
  });
});
