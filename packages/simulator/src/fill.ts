/** Creates many pods for load tests: written as bytes, and ignored by controllers and nodes. */

import { randomUUID } from 'node:crypto';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import { encodeObject } from '@fleet/apiserver/registry/stored-object.ts';
import type { ObjectStore } from '@fleet/apiserver/store/object-store.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import { timeText } from '@fleet/kube/time-text.ts';

/** The label of objects that controllers and nodes ignore. */
export const inert = 'simulator.fleet.karmada.io/inert';

const namespace = 'load';
/** Pods per transaction. */
const batch = 500;

export interface FillParts {
  client: KubeClient;
  store: ObjectStore;
  /** The names of the nodes that the pods are assigned to. */
  nodes: readonly string[];
}

export interface FillOptions {
  signal?: AbortSignal | undefined;
  /** Called with the number of additional pods. */
  onMade?(count: number): void;
}

export async function fill(count: number, parts: FillParts, options: FillOptions = {}): Promise<void> {
  const { client, store, nodes } = parts;
  const { signal, onMade } = options;
  await client.create('/api/v1/namespaces', { metadata: { name: namespace } }, signal).catch((error: unknown) => {
    if (!isStatus(error, 409)) throw error;
  });
  // The form in which the server itself would store it, obtained once.
  const path = `/api/v1/namespaces/${namespace}/pods?dryRun=All`;
  const template = await client.create<KubeObject>(path, newPod(), signal);
  const { next: first } = await filled(store);
  const pace = new Pace();
  for (let from = first; from < first + count; from += batch) {
    signal?.throwIfAborted();
    const size = Math.min(batch, first + count - from);
    await Promise.all(Array.from({ length: size }, (_, index) => put(store, podOf(template, from + index, nodes))));
    onMade?.(size);
    if (pace.isDue) await pace.rest();
  }
}

const newPod = () => ({
  metadata: { name: 'template', labels: { app: 'load', [inert]: 'true' } },
  spec: {
    // No kubelet ends it, so deletion is immediate.
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'load',
        image: 'load:1',
        resources: { requests: { cpu: '10m', memory: '16Mi' } },
        env: [{ name: 'A', value: 'b' }],
      },
    ],
  },
});

const prefix = `/registry/pods/${namespace}/`;

const nameOf = (index: number): string => `load-${String(index).padStart(6, '0')}`;

const ownName = /^load-(\d{6,})$/;

/**
 * How many pods of earlier calls exist, and the number after the last of them, as earlier ones may have been deleted. Users may
 * have pods with any names in the namespace.
 */
export async function filled(store: ObjectStore): Promise<{ count: number; next: number }> {
  let [count, next] = [0, 0];
  let after: string | undefined;
  const pace = new Pace();
  for (let more = true; more; ) {
    const page = await store.range({ prefix, after, limit: batch });
    for (const { key } of page.entries) {
      const [, number] = ownName.exec(key.slice(prefix.length)) ?? [];
      if (number === undefined) continue;
      count += 1;
      next = Math.max(next, Number(number) + 1);
    }
    after = page.entries.at(-1)?.key;
    more = page.more;
    if (pace.isDue) await pace.rest();
  }
  return { count, next };
}

function podOf(template: KubeObject, index: number, nodes: readonly string[]): KubeObject {
  const now = timeText(Date.now());
  const started = { running: { startedAt: now } };
  const address = `10.${100 + ((index >> 16) & 63)}.${(index >> 8) & 255}.${index & 255}`;
  const name = nameOf(index);
  const condition = (type: string) => ({ type, status: 'True', lastProbeTime: null, lastTransitionTime: now });
  return {
    ...template,
    metadata: { ...template.metadata, name, uid: randomUUID(), creationTimestamp: now },
    spec: { ...(template['spec'] as object), nodeName: nodes[index % nodes.length] },
    status: {
      phase: 'Running',
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
      podIP: address,
      podIPs: [{ ip: address }],
      startTime: now,
      containerStatuses: [
        {
          name: 'load',
          state: started,
          lastState: {},
          ready: true,
          restartCount: 0,
          image: 'load:1',
          imageID: '',
          started: true,
        },
      ],
      qosClass: 'Burstable',
    },
  };
}

async function put(store: ObjectStore, pod: KubeObject): Promise<void> {
  const outcome = await store.write({ op: 'create', key: `${prefix}${pod.metadata.name}`, value: encodeObject(pod) });
  if (!outcome.done) throw new Error(`${pod.metadata.name} is there already`);
}
