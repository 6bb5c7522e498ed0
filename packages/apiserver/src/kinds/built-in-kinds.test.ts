import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import { builtInKinds } from './built-in-kinds.ts';

const pathOf = ({ group, version, resource, namespaced }: ReturnType<typeof builtInKinds>[number]): string =>
  `${group ? `/apis/${group}` : '/api'}/${version}/${namespaced ? 'namespaces/default/' : ''}${resource}`;

const pod = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'i' }] };
const selected = { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } } } };
const lasting = { ...selected, template: { ...selected.template, spec: { ...pod, restartPolicy: 'Always' } } };
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' };

/** The required fields of each kind, by resource. */
const needed: Readonly<Record<string, object>> = {
  deployments: { spec: lasting },
  replicasets: { spec: lasting },
  statefulsets: { spec: lasting },
  daemonsets: { spec: lasting },
  controllerrevisions: { data: {} },
  jobs: { spec: { template: { spec: pod } } },
  cronjobs: { spec: { schedule: '@daily', jobTemplate: { spec: { template: { spec: pod } } } } },
  horizontalpodautoscalers: { spec: { maxReplicas: 1, scaleTargetRef } },
  ingresses: { spec: { rules: [{}] } },
  ingressclasses: { spec: { controller: 'a.io/b' } },
  storageclasses: { provisioner: 'a.io/b' },
  endpointslices: { addressType: 'IPv4' },
};

it('every kind can be made, read, changed and deleted', async () => {
  const { ask, internalErrors } = await openServer();
  const kinds = builtInKinds().filter(
    ({ group }) => !['rbac.authorization.k8s.io', '', 'events.k8s.io'].includes(group),
  );
  expect(kinds.length).toBeGreaterThan(35);
  for (const kind of kinds) {
    const path = pathOf(kind);
    const made = await ask('POST', path, { metadata: { name: 'a' }, ...needed[kind.resource] });
    expect([path, made.status, made.body['message']]).toEqual([path, 201, undefined]);
    const isCounted = kind.hasGeneration || kind.resource === 'priorityclasses';
    expect(made.body.metadata!['generation'], path).toBe(isCounted ? 1 : undefined);
    expect((await ask('GET', `${path}/a`)).body, path).toEqual(made.body);
    expect((await ask('PUT', `${path}/a`, { ...made.body, status: { x: 1 } })).status, path).toBe(200);
    expect((await ask('DELETE', `${path}/a`)).status, path).toBe(200);
  }
  expect(internalErrors).toEqual([]);
});

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'i' }] } };
const deployments = '/apis/apps/v1/namespaces/default/deployments';

it('a generation counts changes of the spec, and a status is a subresource', async () => {
  const { ask } = await openServer();
  const spec = { replicas: 2, selector: { matchLabels: { a: 'b' } }, template };
  const { body } = await ask('POST', deployments, { metadata: { name: 'a' }, spec, status: { replicas: 7 } });
  expect(body['status']).toEqual({});
  const status = await ask('PUT', `${deployments}/a/status`, {
    ...body,
    spec: { ...spec, replicas: 9 },
    status: { replicas: 1 },
  });
  expect(status.body).toMatchObject({ metadata: { generation: 1 }, spec: { replicas: 2 }, status: { replicas: 1 } });
  const updated = await ask('PUT', `${deployments}/a`, {
    ...body,
    metadata: { name: 'a' },
    spec: { ...spec, replicas: 3 },
  });
  expect(updated.body).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 3 }, status: { replicas: 1 } });
});

it('a scale is the replicas of an object', async () => {
  const { ask } = await openServer();
  const labels = { c: 'd', a: 'b' };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } };
  const { body } = await ask('POST', deployments, { metadata: { name: 'a' }, spec });
  const { uid, creationTimestamp } = body.metadata!;
  const scale = await ask('GET', `${deployments}/a/scale`);
  expect(scale.body).toEqual({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name: 'a',
      namespace: 'default',
      uid,
      resourceVersion: body.metadata!['resourceVersion'],
      creationTimestamp,
    },
    spec: { replicas: 2 },
    status: { replicas: 0, selector: 'a=b,c=d' },
  });
  const put = await ask('PUT', `${deployments}/a/scale`, { ...scale.body, spec: { replicas: 3 } });
  expect([put.status, put.body['spec']]).toEqual([200, { replicas: 3 }]);
  const merge = { 'content-type': 'application/merge-patch+json', 'user-agent': 'scaler' };
  await ask('PATCH', `${deployments}/a/scale`, { spec: { replicas: 4 } }, merge);
  const { metadata, spec: now } = (await ask('GET', `${deployments}/a`)).body;
  expect([metadata!['generation'], (now as { replicas: number }).replicas]).toEqual([3, 4]);
  expect(metadata!['managedFields']).toContainEqual(
    expect.objectContaining({ manager: 'scaler', subresource: 'scale', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }),
  );
  expect((await ask('PUT', `${deployments}/a/scale`, { ...scale.body })).status).toBe(409);
  const negative = await ask('PATCH', `${deployments}/a/scale`, { spec: { replicas: -1 } }, merge);
  expect(negative.body['message']).toBe(
    'Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  );
});

it('an Event has two names', async () => {
  const { ask, watch } = await openServer();
  const event = { involvedObject: { namespace: 'default', name: 'x' }, message: 'm', count: 2, reason: 'r' };
  const [old, other] = ['/api/v1/namespaces/default/events', '/apis/events.k8s.io/v1/namespaces/default/events'];
  const made = await ask('POST', old, { metadata: { name: 'a' }, ...event });
  const seen = await ask('GET', `${other}/a`);
  expect(seen.body).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    metadata: { uid: made.body.metadata!['uid'], resourceVersion: made.body.metadata!['resourceVersion'] },
    regarding: { name: 'x' },
    note: 'm',
    deprecatedCount: 2,
  });
  expect(seen.body).not.toHaveProperty('message');
  const events = await watch(`${other}?watch=1&fieldSelector=regarding.name%3Dx`);
  expect((await events.next()).value.object).toEqual(seen.body);
  const strict = await ask('POST', other, { metadata: { name: 'b' }, regarding: {}, type: 'Odd', deprecatedCount: 1 });
  expect(strict.status).toBe(422);
  expect(strict.body['message']).toContain('type: Invalid value: "": has invalid value: Odd');
  expect((await ask('DELETE', `${other}/a`)).status).toBe(200);
  expect((await ask('GET', `${old}/a`)).status).toBe(404);
});
