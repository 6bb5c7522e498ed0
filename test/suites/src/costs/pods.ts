/** What a simulated cluster makes of a pod that is as large as an object can be. */

import { resourceQuota } from '@fleet/apiserver/admission/resource-quota.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import { encodeObject } from '@fleet/apiserver/registry/stored-object.ts';
import { LocalStore } from '@fleet/apiserver/store/local-store.ts';
import { MemoryEngine } from '@fleet/apiserver/store/memory/memory-engine.ts';
import { adoptedPodRecord } from '@fleet/simulator/nodes/adopted-pod.ts';
import type { NodeRuntime } from '@fleet/simulator/nodes/node-runtime.ts';
import { advance, newPodRecord } from '@fleet/simulator/nodes/pod-life.ts';
import { podStatus } from '@fleet/simulator/nodes/pod-status.ts';
import type { Container, Pod, PodSpec } from '@fleet/simulator/pods/pod.ts';
import { demandOf, whyUnfit } from '@fleet/simulator/scheduler/fit.ts';
import { NodeLoad } from '@fleet/simulator/scheduler/node-load.ts';
import { containerFiles } from '@fleet/simulator/shell/programs.ts';
import type { Read } from './growth.ts';
import { many, type Structured, some } from './structured.ts';
import type { Shape } from './texts.ts';

const hour = 3_600_000;

/** About `cost` bytes of JSON each. */
const pods = (name: string, cost: number, spec: (count: number) => Partial<PodSpec>): Shape => ({
  name,
  make: (length) =>
    JSON.stringify({
      metadata: { name: 'p', namespace: 'd', uid: 'u' },
      spec: { nodeName: 'n', containers: [{ name: 'app', image: 'app:1' }], ...spec(Math.floor(length / cost)) },
    }),
});

const containers = (count: number, more: Partial<Container> = {}) =>
  many(count, (index) => ({ name: `c${index}`, image: 'app:1', ...more }));

/** From its first sync to its last, and adopted by a process that starts meanwhile. */
const live: Read = (text) => {
  const pod = JSON.parse(text) as Pod;
  const runtime: NodeRuntime = {
    millis: (seconds) => seconds * 1000,
    images: new Set(['docker.io/library/app:1']),
    files: new Set(),
    newContainerId: () => 'id',
  };
  const state = newPodRecord(pod, 0, runtime);
  for (const now of [0, hour, 2 * hour]) {
    if (now === 2 * hour) pod.metadata = { ...pod.metadata, deletionTimestamp: '2026-11-17T12:00:00Z' };
    advance(pod, state, now, runtime, () => '10.0.0.5');
    pod.status = podStatus(pod, state, '172.18.0.2', now);
    adoptedPodRecord(pod, now, runtime);
  }
};

/** On a node that has one of the same kind already. */
const fit: Read = (text) => {
  const pod = JSON.parse(text) as Pod;
  const load = new NodeLoad();
  load.add('other', pod);
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec: {}, status: {} };
  whyUnfit(demandOf(pod), node as unknown as Parameters<typeof whyUnfit>[1], load);
};

/** Held against a quota of what containers ask for. */
const charge: Read = async (text) => {
  await using store = new LocalStore(new MemoryEngine());
  const status = { hard: { 'requests.cpu': '1' }, used: { 'requests.cpu': '0' } };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q', namespace: 'd' }, status };
  await store.write({ op: 'create', key: '/registry/resourcequotas/d/q', value: encodeObject(quota) });
  const write = { old: undefined, namespace: 'd', subresource: undefined, dryRun: true, charged: new Map() };
  await resourceQuota.validate(
    { ...write, kind: { group: '', resource: 'pods' }, object: JSON.parse(text) as KubeObject },
    store,
  );
};

const ofSidecars = pods('resources of sidecars', 95, (count) => ({
  containers: containers(1, { resources: { requests: { cpu: '0' } } }),
  initContainers: many(count, (index) => ({
    name: `c${index}`,
    restartPolicy: 'Always',
    resources: { requests: { cpu: '0', [`example.com/r${index}`]: '1' } },
  })),
}));

/** The second protocol, so that no port is taken. */
const protocolOf = (index: number): string => (index % 2 ? 'TCP' : 'UDP');

export const simulatedPods: Record<string, Structured> = {
  'the life of a pod': {
    length: 2 * some,
    read: live,
    shapes: [
      pods('main containers', 32, (count) => ({ containers: containers(count) })),
      pods('init containers', 32, (count) => ({ initContainers: containers(count) })),
      pods('sidecars', 55, (count) => ({ initContainers: containers(count, { restartPolicy: 'Always' }) })),
      pods('readiness gates', 24, (count) => ({
        readinessGates: many(count, (index) => ({ conditionType: `c${index}` })),
      })),
    ],
  },
  'the place of a pod': {
    length: 2 * some,
    read: fit,
    shapes: [
      pods('ports', 50, (count) => ({
        containers: [
          {
            name: 'app',
            ports: many(count, (index) => ({
              containerPort: 1,
              hostPort: index + 1,
              protocol: protocolOf(index),
              hostIP: `10.0.0.${index % 200}`,
            })),
          },
        ],
      })),
      ofSidecars,
    ],
  },
  'a pod under a quota': {
    length: 4 * some,
    read: charge,
    shapes: [pods('containers without requests', 32, (count) => ({ containers: containers(count) })), ofSidecars],
  },
  'the files of a container': {
    length: 4 * some,
    read(text) {
      const pod = JSON.parse(text) as Pod;
      containerFiles(pod, pod.spec.containers[0]!);
    },
    shapes: [
      pods('a long path', 2, (count) => ({ containers: [{ name: 'app', workingDir: '/a'.repeat(count) }] })),
      pods('mounts', 3000, (count) => ({
        containers: [
          {
            name: 'app',
            volumeMounts: many(count, (index) => ({ name: 'v', mountPath: `/${index}${'/a'.repeat(1480)}` })),
          },
        ],
      })),
    ],
  },
};
