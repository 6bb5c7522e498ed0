import { describe, expect, it } from 'vitest';
import type { Pod } from '../../pods/pod.ts';
import { type ControllerRevision, revisionData } from '../shared/controller-revision.ts';
import type { NewPod } from '../shared/pod-control.ts';
import { sketchPod } from '../testing/pods.ts';
import { clockAt } from '../testing/scaled-time.ts';
import type { StatefulSet } from './stateful-set.ts';
import { type StatefulSetClient, syncPods } from './stateful-set-sync.ts';

const largest = 2 ** 31 - 1;
const template = { spec: { containers: [{ name: 'c' }] } };

const setOf = (spec: Partial<StatefulSet['spec']>): StatefulSet => ({
  metadata: { name: 'db', namespace: 'd', uid: 'db' },
  spec: { selector: { matchLabels: {} }, template, ...spec },
});

const revision = (name: string): ControllerRevision => ({
  metadata: { name, namespace: 'd' },
  revision: 1,
  data: revisionData(template),
});

const readyPod = (ordinal: number, of = 'v1'): Pod =>
  sketchPod(`db-${ordinal}`, {
    labels: { 'controller-revision-hash': of, 'statefulset.kubernetes.io/pod-name': `db-${ordinal}` },
    ready: '2026-01-01T00:00:00Z',
  });

async function sync(set: StatefulSet, pods: readonly Pod[]): Promise<{ created: string[]; deleted: string[] }> {
  const [created, deleted]: [string[], string[]] = [[], []];
  const client: StatefulSetClient = {
    hasStaleClaim: () => false,
    create: async (pod: NewPod) => void created.push(pod.metadata.name!),
    update: async () => {},
    delete: async (pod) => void deleted.push(pod.metadata.name),
    createClaims: async () => {},
    isRetentionRight: () => true,
    retainClaims: async () => {},
  };
  const state = { set, pods, current: revision('v1'), update: revision('v2') };
  await syncPods(state, client, clockAt('2026-01-01T01:00:00Z'));
  return { created, deleted };
}

describe('a StatefulSet of as many replicas as there can be', () => {
  it('makes the next pod in order', async () => {
    const set = setOf({ replicas: largest });
    expect(await sync(set, [])).toEqual({ created: ['db-0'], deleted: [] });
    expect(await sync(set, [readyPod(1), readyPod(0), readyPod(7)])).toEqual({ created: ['db-2'], deleted: [] });
  });

  it('makes the lowest that are missing in one go if it is Parallel', async () => {
    const set = setOf({ replicas: largest, podManagementPolicy: 'Parallel', ordinals: { start: 3 } });
    const { created, deleted } = await sync(set, [readyPod(4), readyPod(1)]);
    expect(created).toHaveLength(500);
    expect([created[0], created[1], created.at(-1)]).toEqual(['db-3', 'db-5', 'db-503']);
    // Below the first ordinal; the others wait for their update until all exist.
    expect(deleted).toEqual(['db-1']);
  });
});

it('updates from the highest ordinal down to the partition, counted from the first ordinal', async () => {
  const pods = [readyPod(3), readyPod(5), readyPod(4)];
  const update = (partition: number) =>
    sync(setOf({ replicas: 3, ordinals: { start: 3 }, updateStrategy: { rollingUpdate: { partition } } }), pods);
  expect(await update(2)).toEqual({ created: [], deleted: ['db-5'] });
  expect(await update(3)).toEqual({ created: [], deleted: [] });
});
