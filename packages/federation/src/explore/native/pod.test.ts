import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../api/objects.ts';
import { podRules } from './pod.ts';
import { objectOf, reports } from './testing.ts';

const pod = (fields: object = {}) => objectOf('v1', 'Pod', fields);

test('FED-12: a pod is one replica', () => {
  const spec = { containers: [{ resources: { limits: { cpu: '1' } } }] };
  expect(podRules.replicas!(pod({ spec }))).toEqual({
    replicas: 1,
    requirements: { resourceRequest: { cpu: '1' }, namespace: 'default' },
  });
});

describe('FED-12: retaining', () => {
  const mounts = (name: string) => [{ name, mountPath: `/${name}` }];
  const spec = (whose: string, ...containers: string[]) => ({
    nodeName: `${whose}-node`,
    serviceAccountName: `${whose}-account`,
    volumes: [{ name: `${whose}-volume` }],
    containers: containers.map((name) => ({ name, image: whose, volumeMounts: mounts(`${whose}-${name}`) })),
    initContainers: containers.map((name) => ({ name, image: whose, volumeMounts: mounts(`${whose}-init-${name}`) })),
  });

  test('node, account, volumes, and the mounts of containers by name', () => {
    const retained = podRules.retain!(pod({ spec: spec('mine', 'a', 'c') }), pod({ spec: spec('their', 'b', 'a') }));
    expect(retained['spec']).toEqual({
      nodeName: 'their-node',
      serviceAccountName: 'their-account',
      volumes: [{ name: 'their-volume' }],
      containers: [
        { name: 'a', image: 'mine', volumeMounts: mounts('their-a') },
        { name: 'c', image: 'mine', volumeMounts: mounts('mine-c') },
      ],
      initContainers: [
        { name: 'a', image: 'mine', volumeMounts: mounts('their-init-a') },
        { name: 'c', image: 'mine', volumeMounts: mounts('mine-init-c') },
      ],
    });
  });

  test('what the member has not goes', () => {
    const retained = podRules.retain!(pod({ spec: spec('mine', 'a') }), pod({ spec: { containers: [{ name: 'a' }] } }));
    expect(retained['spec']).toMatchObject({ containers: [{ name: 'a', image: 'mine' }] });
    for (const field of ['nodeName', 'serviceAccountName', 'volumes'])
      expect(retained['spec']).not.toHaveProperty(field);
    expect(retained['spec']).not.toHaveProperty('containers.0.volumeMounts');
  });
});

const ready = (status: string) => [
  { type: 'Initialized', status: 'True' },
  { type: 'Ready', status },
];

test.each([
  [{ phase: 'Running', conditions: ready('True') }, 'Healthy'],
  [{ phase: 'Succeeded', conditions: ready('False') }, 'Healthy'],
  [{ phase: 'Running', conditions: ready('False') }, 'Unhealthy'],
  [{ phase: 'Running' }, 'Unhealthy'],
  [{ phase: 'Failed', conditions: ready('True') }, 'Unhealthy'],
  [undefined, 'Unhealthy'],
])('FED-12: health of a pod with %o is %s', (status, expected) => {
  expect(podRules.health!(pod({ status }))).toBe(expected);
});

describe('FED-12: status of a pod', () => {
  const state = { running: { startedAt: '2026-01-01T00:00:00Z' } };
  const theirs = (isReady: boolean): JsonObject => ({
    containerID: 'containerd://6cee',
    image: 'nginx:latest',
    imageID: 'docker.io/library@sha256:dfb593',
    name: 'busybox',
    ready: isReady,
    restartCount: 2,
    started: true,
    state,
  });
  const shown = (isReady: boolean) => ({ name: '', image: '', imageID: '', restartCount: 0, ready: isReady, state });
  const running = { phase: 'Running', containerStatuses: [theirs(true)] };
  const pending = { phase: 'Pending', containerStatuses: [theirs(false)], initContainerStatuses: [theirs(true)] };

  test('containers of all, without what differs from member to member', () => {
    expect(podRules.aggregate!(pod(), reports(running, pending))['status']).toEqual({
      phase: 'Pending',
      containerStatuses: [shown(true), shown(false)],
      initContainerStatuses: [shown(true)],
    });
  });

  test.each([
    ['Failed', ['Running', 'Failed', 'Pending']],
    ['Pending', ['Running', 'Pending', 'Succeeded']],
    ['Running', ['Running', 'Succeeded']],
    ['Succeeded', ['Succeeded', 'Succeeded']],
    ['Pending', ['Running', undefined]],
    ['Running', ['Running', 'Unknown']],
  ])('%s of %o', (expected, phases) => {
    const items = reports(...phases.map((phase) => (phase === undefined ? undefined : { phase })));
    expect(podRules.aggregate!(pod(), items)['status']).toEqual({ phase: expected });
  });

  test('the quality of service that the control plane has given stays', () => {
    const template = pod({ status: { phase: 'Pending', qosClass: 'BestEffort', hostIP: '10.0.0.1' } });
    expect(podRules.aggregate!(template, reports({ phase: 'Running' }))['status']).toEqual({
      phase: 'Running',
      qosClass: 'BestEffort',
    });
  });

  test.each([[[]], [[{ phase: 'Unknown' }]]])('without a phase that is known nothing changes: %o', (statuses) => {
    const template = pod({ status: { phase: 'Pending' } });
    expect(podRules.aggregate!(template, reports(...statuses))).toBe(template);
  });

  test('nothing new is the same object', () => {
    const template = pod({ status: { phase: 'Running', containerStatuses: [{ ready: true, state }] } });
    expect(podRules.aggregate!(template, reports(running))).toBe(template);
  });
});

test('FED-11: dependencies', () => {
  expect(podRules.dependencies!(pod({ spec: { serviceAccountName: 'sa' } }))).toEqual([
    { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'default', name: 'sa' },
  ]);
});
