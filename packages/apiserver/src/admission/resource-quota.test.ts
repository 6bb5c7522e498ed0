import { expect, it } from 'vitest';
import type { KubeObject } from '../registry/kube-object.ts';
import { decodeObject, encodeObject } from '../registry/stored-object.ts';
import { LocalStore } from '../store/local-store.ts';
import { MemoryEngine } from '../store/memory/memory-engine.ts';
import { openServer } from '../testing/open-server.ts';
import type { Charged } from './plugin.ts';
import type { ResourceQuota } from './quota-scopes.ts';
import { resourceQuota } from './resource-quota.ts';

const core = '/api/v1/namespaces/default';
const pod = (name: string, spec: object = {}, resources: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'nginx', resources }], ...spec },
});
const merge = { 'content-type': 'application/merge-patch+json' };

/** A quota that the controller has not counted yet. */
async function openWith(hard: Record<string, string>, spec: object = {}) {
  const { ask } = await openServer({ admission: ['ResourceQuota'] });
  const made = await ask('POST', `${core}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard, ...spec } });
  expect(made.status).toBe(201);
  expect(made.headers).not.toHaveProperty('warning');
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
  await ask('PATCH', `${core}/resourcequotas/q/status`, { status: { hard, used } }, merge);
  const usedNow = async () => {
    const { body } = await ask('GET', `${core}/resourcequotas/q`);
    return (body['status'] as { used: object }).used;
  };
  return { ask, usedNow };
}

it('refuses what is beyond a quota, in the words of Kubernetes', async () => {
  const { ask, usedNow } = await openWith({ pods: '1', 'count/pods': '5' });
  expect(await ask('POST', `${core}/pods`, pod('a'))).toMatchObject({ status: 201 });
  expect(await usedNow()).toEqual({ pods: '1', 'count/pods': '1' });
  expect(await ask('POST', `${core}/pods`, pod('b'))).toMatchObject({
    status: 403,
    body: {
      reason: 'Forbidden',
      message: 'pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    },
  });
  expect(await usedNow()).toEqual({ pods: '1', 'count/pods': '1' });
});

it('counts what many make at once', async () => {
  const { ask, usedNow } = await openWith({ pods: '10' });
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, index) => ask('POST', `${core}/pods`, pod(`p${index}`))),
  );
  expect(made.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(await usedNow()).toEqual({ pods: '10' });
});

it('counts what containers ask for, and requires that they do', async () => {
  const { ask, usedNow } = await openWith({ 'requests.cpu': '1', 'limits.memory': '1Gi' });
  expect((await ask('POST', `${core}/pods`, pod('a', {}, { requests: { cpu: '1' } }))).body['message']).toBe(
    'pods "a" is forbidden: failed quota: q: must specify limits.memory for: c',
  );
  const resources = { limits: { cpu: '600m', memory: '512Mi' } };
  expect((await ask('POST', `${core}/pods`, pod('a', {}, resources))).status).toBe(201);
  expect(await usedNow()).toEqual({ 'requests.cpu': '600m', 'limits.memory': '512Mi' });
  expect((await ask('POST', `${core}/pods`, pod('b', {}, resources))).body['message']).toBe(
    'pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
  );
});

it('counts objects of other kinds, by either name', async () => {
  const { ask } = await openWith({ configmaps: '1', 'count/deployments.apps': '0' });
  expect((await ask('POST', `${core}/configmaps`, { metadata: { name: 'a' } })).status).toBe(201);
  expect((await ask('POST', `${core}/configmaps`, { metadata: { name: 'b' } })).status).toBe(403);
  const template = { metadata: { labels: { a: 'b' } }, spec: pod('x').spec };
  const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
  expect((await ask('POST', '/apis/apps/v1/namespaces/default/deployments', deployment)).body['message']).toBe(
    'deployments.apps "d" is forbidden: exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
  );
});

it.each([
  [{ scopes: ['BestEffort'] }, 'best', 'sized'],
  [{ scopes: ['NotBestEffort'] }, 'sized', 'best'],
  [{ scopes: ['Terminating'] }, 'short', 'best'],
  [{ scopes: ['NotTerminating'] }, 'best', 'short'],
  [
    {
      scopeSelector: {
        matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical'] }],
      },
    },
    'critical',
    'best',
  ],
])('%j counts the pod %s and not %s', async (spec, counted, other) => {
  const pods: Record<string, object> = {
    best: pod('best'),
    sized: pod('sized', {}, { requests: { cpu: '1' } }),
    short: pod('short', { activeDeadlineSeconds: 5 }),
    critical: pod('critical', { priorityClassName: 'system-node-critical' }),
  };
  const { ask } = await openWith({ pods: '0' }, spec);
  expect((await ask('POST', `${core}/pods`, pods[counted])).status).toBe(403);
  expect((await ask('POST', `${core}/pods`, pods[other])).status).toBe(201);
});

it('charges nothing for what is only tried, and knows nothing before it was counted', async () => {
  const { ask, usedNow } = await openWith({ pods: '1' });
  expect((await ask('POST', `${core}/pods?dryRun=All`, pod('a'))).status).toBe(201);
  expect(await usedNow()).toEqual({ pods: '0' });
  await ask('PATCH', `${core}/resourcequotas/q/status`, { status: { used: null } }, merge);
  expect((await ask('POST', `${core}/pods`, pod('a'))).body['message']).toBe(
    'pods "a" is forbidden: status unknown for quota: q, resources: pods',
  );
});

it('a Job that quotas are asked about shares its labels with its template, as any other', async () => {
  const { ask } = await openServer({ admission: ['ResourceQuota'] });
  const template = { metadata: { labels: { app: 'x' } }, spec: { ...pod('x').spec, restartPolicy: 'Never' } };
  const made = await ask('POST', '/apis/batch/v1/namespaces/default/jobs', {
    metadata: { name: 'j' },
    spec: { template },
  });
  expect((made.body['metadata'] as { labels: object }).labels).toMatchObject({ app: 'x', 'job-name': 'j' });
});

it('charges nothing for what is invalid, and no negative amount', async () => {
  const { ask, usedNow } = await openWith({ pods: '5', 'requests.cpu': '5' });
  expect((await ask('POST', `${core}/pods`, pod('a', {}, { requests: { cpu: '2' } }))).status).toBe(201);
  expect(await usedNow()).toEqual({ pods: '1', 'requests.cpu': '2' });
  const wrong = [
    pod('b', {}, { requests: { cpu: '-1' } }),
    pod('Not_A_Name', {}, { requests: { cpu: '1' } }),
    pod('b', { restartPolicy: 'Sometimes' }, { requests: { cpu: '1' } }),
    { ...pod('b', {}, { requests: { cpu: '1' } }), kind: 'Secret', apiVersion: 'v1' },
  ];
  for (const one of wrong) {
    const { status } = await ask('POST', `${core}/pods`, one);
    expect([400, 422]).toContain(status);
  }
  expect(await usedNow()).toEqual({ pods: '1', 'requests.cpu': '2' });
});

it('a request that is tried again is charged once, and again only for what is more', async () => {
  await using store = new LocalStore(new MemoryEngine());
  const status = { hard: { 'requests.cpu': '9' }, used: { 'requests.cpu': '0' } };
  const quota = { metadata: { name: 'q', namespace: 'default' }, status } as unknown as KubeObject;
  const key = '/registry/resourcequotas/default/q';
  await store.write({ op: 'create', key, value: encodeObject(quota) });
  const charged: Charged = new Map();
  const used = async (cpu: string) => {
    const object = pod('a', {}, { requests: { cpu } }) as unknown as KubeObject;
    const write = { kind: { group: '', resource: 'pods' }, object, old: undefined, subresource: undefined };
    await resourceQuota.validate({ ...write, namespace: 'default', charged }, store);
    return (decodeObject((await store.get(key)).entry!) as ResourceQuota).status?.used;
  };
  expect(await used('2')).toEqual({ 'requests.cpu': '2' });
  expect(await used('2')).toEqual({ 'requests.cpu': '2' });
  expect(await used('5')).toEqual({ 'requests.cpu': '5' });
  await expect(used('-1')).rejects.toThrow(
    'pods "a" is forbidden: quota usage is negative for resource(s): cpu,requests.cpu',
  );
});

it('a resize is charged for what it adds', async () => {
  const { ask, usedNow } = await openWith({ 'requests.cpu': '3', 'limits.cpu': '6' });
  const sized = (requests: string, limits: string) => ({ requests: { cpu: requests }, limits: { cpu: limits } });
  expect((await ask('POST', `${core}/pods`, pod('a', {}, sized('1', '2')))).status).toBe(201);
  const resize = (requests: string, limits: string) =>
    ask(
      'PATCH',
      `${core}/pods/a/resize`,
      { spec: { containers: [{ name: 'c', resources: sized(requests, limits) }] } },
      { 'content-type': 'application/strategic-merge-patch+json' },
    );
  expect(await resize('4', '5')).toMatchObject({
    status: 403,
    body: {
      message:
        'pods "a" is forbidden: exceeded quota: q, requested: requests.cpu=3, used: requests.cpu=1, limited: requests.cpu=3',
    },
  });
  expect((await resize('3', '5')).status).toBe(200);
  expect(await usedNow()).toEqual({ 'requests.cpu': '3', 'limits.cpu': '5' });
  // The controller counts what is freed.
  expect((await resize('1', '6')).status).toBe(200);
  expect(await usedNow()).toEqual({ 'requests.cpu': '3', 'limits.cpu': '6' });
});

it('a pod that comes under another quota by its deadline is charged there', async () => {
  const { ask, usedNow } = await openWith({ pods: '0' }, { scopes: ['Terminating'] });
  expect((await ask('POST', `${core}/pods`, pod('a'))).status).toBe(201);
  const late = await ask('PATCH', `${core}/pods/a`, { spec: { activeDeadlineSeconds: 5 } }, merge);
  expect(late.body['message']).toBe(
    'pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
  );
  expect((await ask('PATCH', `${core}/pods/a`, { metadata: { labels: { a: 'b' } } }, merge)).status).toBe(200);
  expect(await usedNow()).toEqual({ pods: '0' });
});

it('Services are charged for their node ports and load balancers, also when their type changes', async () => {
  const { ask, usedNow } = await openWith({ services: '5', 'services.nodeports': '3', 'services.loadbalancers': '0' });
  const ports = [
    { name: 'a', port: 80 },
    { name: 'b', port: 81 },
  ];
  expect((await ask('POST', `${core}/services`, { metadata: { name: 's' }, spec: { ports } })).status).toBe(201);
  expect(await usedNow()).toEqual({ services: '1', 'services.nodeports': '0', 'services.loadbalancers': '0' });
  expect((await ask('PATCH', `${core}/services/s`, { spec: { type: 'NodePort' } }, merge)).status).toBe(200);
  expect(await usedNow()).toEqual({ services: '1', 'services.nodeports': '2', 'services.loadbalancers': '0' });
  expect((await ask('PATCH', `${core}/services/s`, { spec: { type: 'LoadBalancer' } }, merge)).body['message']).toBe(
    'services "s" is forbidden: exceeded quota: q, requested: services.loadbalancers=1, used: services.loadbalancers=0, limited: services.loadbalancers=0',
  );
  const other = { metadata: { name: 't' }, spec: { type: 'NodePort', ports } };
  expect((await ask('POST', `${core}/services`, other)).body['message']).toBe(
    'services "t" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=2, limited: services.nodeports=3',
  );
});

it('claims are charged for their storage, also of their class, and for what an expansion adds', async () => {
  const gold = 'gold.storageclass.storage.k8s.io';
  const { ask, usedNow } = await openWith({
    'requests.storage': '5Gi',
    [`${gold}/requests.storage`]: '3Gi',
    [`${gold}/persistentvolumeclaims`]: '2',
  });
  await ask('POST', '/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'gold' },
    provisioner: 'example.com/disk',
    allowVolumeExpansion: true,
  });
  const claim = (name: string, storage: string, storageClassName: string) => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } }, volumeName: 'v' },
  });
  const url = `${core}/persistentvolumeclaims`;
  expect((await ask('POST', url, claim('a', '2Gi', 'gold'))).status).toBe(201);
  expect((await ask('POST', url, claim('b', '1Gi', 'tin'))).status).toBe(201);
  expect(await usedNow()).toEqual({
    'requests.storage': '3Gi',
    [`${gold}/requests.storage`]: '2Gi',
    [`${gold}/persistentvolumeclaims`]: '1',
  });
  await ask('PATCH', `${url}/a/status`, { status: { phase: 'Bound', capacity: { storage: '2Gi' } } }, merge);
  const larger = (storage: string) =>
    ask('PATCH', `${url}/a`, { spec: { resources: { requests: { storage } } } }, merge);
  expect((await larger('4Gi')).body['message']).toBe(
    `persistentvolumeclaims "a" is forbidden: exceeded quota: q, requested: ${gold}/requests.storage=2Gi, used: ${gold}/requests.storage=2Gi, limited: ${gold}/requests.storage=3Gi`,
  );
  expect((await larger('3Gi')).status).toBe(200);
  expect(await usedNow()).toMatchObject({ 'requests.storage': '4Gi', [`${gold}/requests.storage`]: '3Gi' });
});

it('large objects, which a thread of their own writes, are charged like others', { timeout: 60_000 }, async () => {
  const { ask, usedNow } = await openWith({ configmaps: '1' });
  const large = (name: string) => ({ metadata: { name }, data: { a: 'x'.repeat(900_000) } });
  expect((await ask('POST', `${core}/configmaps`, large('a'))).status).toBe(201);
  expect((await ask('POST', `${core}/configmaps`, large('b'))).status).toBe(403);
  expect(await usedNow()).toEqual({ configmaps: '1' });
});
