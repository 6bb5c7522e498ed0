import { expect, test } from 'vitest';
import { podDependencies } from './pod-dependencies.ts';
import { frozen } from './testing.ts';

const named = (podSpec: object, namespace: string | undefined = 'test') =>
  podDependencies(frozen({ ...podSpec }), namespace).map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`);

const ref = (name: string) => ({ secretRef: { name } });

test.each([
  ['nothing', {}, []],
  [
    'volumes and an account',
    {
      serviceAccountName: 'account',
      volumes: [
        { configMap: { name: 'config' } },
        { secret: { secretName: 'cloud' } },
        { persistentVolumeClaim: { claimName: 'claim' } },
        { emptyDir: {} },
      ],
    },
    ['ConfigMap test/config', 'Secret test/cloud', 'ServiceAccount test/account', 'PersistentVolumeClaim test/claim'],
  ],
  [
    'each name once',
    {
      imagePullSecrets: [{ name: 'one' }],
      initContainers: [
        {
          envFrom: [{ configMapRef: { name: 'config' }, secretRef: { name: 'one' } }],
          env: [{ valueFrom: { secretKeyRef: { name: 'one' } } }],
        },
      ],
    },
    ['ConfigMap test/config', 'Secret test/one'],
  ],
  [
    'the environment of every container',
    {
      containers: [{ env: [{ valueFrom: { configMapKeyRef: { name: 'b' } } }, { value: 'x' }] }],
      initContainers: [{ envFrom: [{ configMapRef: { name: 'a' } }] }],
      ephemeralContainers: [{ envFrom: [{ configMapRef: { name: 'c' } }, { secretRef: { name: 'd' } }] }],
    },
    ['ConfigMap test/a', 'ConfigMap test/b', 'ConfigMap test/c', 'Secret test/d'],
  ],
  [
    'projected volumes',
    {
      volumes: [
        { projected: { sources: [{ configMap: { name: 'a' } }, { secret: { name: 'b' } }, { downwardAPI: {} }] } },
      ],
    },
    ['ConfigMap test/a', 'Secret test/b'],
  ],
  [
    'Secrets that open volumes',
    {
      volumes: [
        { azureFile: { secretName: 'a' } },
        { cephfs: ref('b') },
        { cinder: ref('c') },
        { csi: { nodePublishSecretRef: { name: 'd' } } },
        { flexVolume: ref('e') },
        { iscsi: ref('f') },
        { rbd: ref('g') },
        { scaleIO: ref('h') },
        { storageos: ref('i') },
      ],
    },
    [...'abcdefghi'].map((name) => `Secret test/${name}`),
  ],
  ['the default account', { serviceAccountName: 'default' }, []],
  ['names that are empty', { imagePullSecrets: [{ name: '' }, {}], serviceAccountName: '' }, []],
])('FED-11: dependencies of a pod: %s', (_case, podSpec, expected) => {
  expect(named(podSpec)).toEqual(expected);
});

test('FED-11: without a namespace there is none in the reference', () => {
  expect(podDependencies({ serviceAccountName: 'a' }, undefined)).toEqual([
    { apiVersion: 'v1', kind: 'ServiceAccount', name: 'a' },
  ]);
});
