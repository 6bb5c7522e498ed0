import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import type { AdmissionName } from './admission.ts';

const pods = '/api/v1/namespaces/default/pods';
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const pod = (spec: object = {}) => ({
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
});

const admission: AdmissionName[] = ['ServiceAccount', 'StorageObjectInUseProtection', 'DefaultStorageClass'];

it('ServiceAccount: a pod runs as the default account, with its token', async () => {
  const { ask } = await openServer({ admission });
  await ask(
    'PATCH',
    `${accounts}/default`,
    { imagePullSecrets: [{ name: 'pull' }] },
    { 'content-type': 'application/merge-patch+json' },
  );
  const { body } = await ask('POST', pods, pod());
  const { volumes, containers, ...spec } = body['spec'] as { volumes: { name: string }[]; containers: object[] };
  expect(spec).toMatchObject({
    serviceAccountName: 'default',
    serviceAccount: 'default',
    imagePullSecrets: [{ name: 'pull' }],
  });
  expect(volumes).toEqual([
    {
      name: expect.stringMatching(/^kube-api-access-[a-z0-9]{5}$/),
      projected: {
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          {
            downwardAPI: {
              items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
            },
          },
        ],
        defaultMode: 420,
      },
    },
  ]);
  expect(containers[0]).toMatchObject({
    volumeMounts: [
      { name: volumes[0]!.name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
    ],
  });
});

it('ServiceAccount: a pod may refuse the token, and needs an account that is there', async () => {
  const { ask } = await openServer({ admission });
  const bare = await ask('POST', pods, pod({ automountServiceAccountToken: false }));
  expect(bare.body['spec']).not.toHaveProperty('volumes');
  const other = await ask('POST', pods, pod({ serviceAccountName: 'x' }));
  expect(other).toMatchObject({
    status: 403,
    body: {
      message: 'pods "a" is forbidden: error looking up service account default/x: serviceaccount "x" not found',
    },
  });
});

it('Priority: a pod has the priority of its class', async () => {
  const { ask } = await openServer();
  const plain = await ask('POST', `${pods}?dryRun=All`, pod());
  expect(plain.body['spec']).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
  const critical = await ask('POST', `${pods}?dryRun=All`, pod({ priorityClassName: 'system-node-critical' }));
  expect(critical.body['spec']).toMatchObject({ priority: 2_000_001_000 });
  expect((await ask('POST', pods, pod({ priorityClassName: 'x' }))).body['message']).toBe(
    'pods "a" is forbidden: no PriorityClass with name x was found',
  );
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
  await ask('POST', classes, { metadata: { name: 'b' }, value: 7, globalDefault: true });
  const second = await ask('POST', classes, { metadata: { name: 'c' }, value: 8, globalDefault: true });
  expect(second.body['message']).toContain('PriorityClass b is already marked as default. Only one default can exist');
  expect((await ask('POST', pods, pod())).body['spec']).toMatchObject({ priority: 7, priorityClassName: 'b' });
});

it('DefaultTolerationSeconds and TaintNodesByCondition', async () => {
  const { ask } = await openServer();
  const tolerations = [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }];
  expect((await ask('POST', pods, pod({ tolerations }))).body['spec']).toMatchObject({
    tolerations: [...tolerations, { key: 'node.kubernetes.io/unreachable', tolerationSeconds: 300 }],
  });
  expect((await ask('POST', '/api/v1/nodes', { metadata: { name: 'n' } })).body['spec']).toEqual({
    taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
  });
});

it('DefaultStorageClass and StorageObjectInUseProtection', async () => {
  const { ask } = await openServer({ admission });
  await ask('POST', '/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 's', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'x.y/z',
  });
  const { body } = await ask('POST', '/api/v1/namespaces/default/persistentvolumeclaims', {
    metadata: { name: 'a' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  expect(body).toMatchObject({
    metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
    spec: { storageClassName: 's', volumeMode: 'Filesystem' },
  });
});

it('DefaultIngressClass', async () => {
  const { ask } = await openServer();
  await ask('POST', '/apis/networking.k8s.io/v1/ingressclasses', {
    metadata: { name: 'i', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
    spec: { controller: 'x.y/z' },
  });
  const { body } = await ask('POST', '/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
    metadata: { name: 'a' },
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
  });
  expect(body['spec']).toMatchObject({ ingressClassName: 'i' });
});

it('on a worker thread as on the main thread', { timeout: 60_000 }, async () => {
  const { ask } = await openServer({ admission });
  const annotations = { x: 'y'.repeat(40_000) };
  const { body } = await ask('POST', pods, { ...pod(), metadata: { name: 'a', annotations } });
  expect(body['spec']).toMatchObject({ serviceAccountName: 'default', volumes: [{}] });
});

it('a server has the kinds that it is to have', async () => {
  const { ask } = await openServer({ kinds: ['pods'] });
  expect((await ask('GET', pods)).status).toBe(200);
  expect((await ask('GET', '/apis/apps/v1/deployments')).status).toBe(404);
  expect((await ask('GET', '/api/v1/namespaces')).status).toBe(200);
});
