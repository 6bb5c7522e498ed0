import { describe, expect, it } from 'vitest';
import type { Node } from '../../nodes/node.ts';
import type { Pod } from '../../pods/pod.ts';
import { type PodSketch, sketchPod } from '../testing/pods.ts';
import { clockAt } from '../testing/scaled-time.ts';
import { type DaemonState, daemonPlan, daemonStatus, rollingPlan } from './daemon-plan.ts';
import { type DaemonSet, daemonTolerations, hashLabel } from './daemon-set.ts';
import { eligibilityOf } from './eligible-node.ts';

const clock = clockAt('2026-01-01T01:00:00Z');
const ready = '2026-01-01T00:00:00Z';

const set = (spec: object = {}, template: object = {}): DaemonSet => ({
  metadata: { name: 'ds', generation: 1 },
  spec: { selector: {}, template: { spec: { containers: [], ...template } }, ...spec },
});

const node = (
  name: string,
  taints: { key: string; effect: string }[] = [],
  labels: Record<string, string> = {},
): Node => ({
  metadata: { name, labels },
  spec: { taints },
});

const pod = (name: string, hash: string, sketch: PodSketch = {}): Pod =>
  sketchPod(name, { node: name.slice(0, 1), ready, labels: { [hashLabel]: hash }, ...sketch });

const state = (daemonSet: DaemonSet, names: string, pods: Pod[]): DaemonState => ({
  set: daemonSet,
  nodes: [...names].map((name) => node(name)),
  pods: Map.groupBy(pods, ({ spec }) => spec.nodeName!),
  hash: 'new',
});

const names = ({ create, delete: gone }: { create: string[]; delete: Pod[] }) => ({
  create,
  delete: gone.map(({ metadata }) => metadata.name),
});

describe('eligibilityOf', () => {
  const runs = { shouldRun: true, shouldContinue: true };
  const stays = { shouldRun: false, shouldContinue: true };
  const goes = { shouldRun: false, shouldContinue: false };
  const required = (values: string[], key = 'zone', operator = 'In') => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }],
        },
      },
    },
  });

  it.each([
    ['a cordoned node', {}, node('a', [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }]), runs],
    ['a node that is not ready', {}, node('a', [{ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }]), runs],
    ['a taint that it does not tolerate', {}, node('a', [{ key: 'gpu', effect: 'NoSchedule' }]), stays],
    ['a taint that evicts it', {}, node('a', [{ key: 'gpu', effect: 'NoExecute' }]), goes],
    [
      'a taint that it tolerates',
      { tolerations: [{ key: 'gpu', operator: 'Exists' }] },
      node('a', [{ key: 'gpu', effect: 'NoExecute' }]),
      runs,
    ],
    ['another node by name', { nodeName: 'b' }, node('a'), goes],
    ['its node selector', { nodeSelector: { disk: 'ssd' } }, node('a', [], { disk: 'ssd' }), runs],
    ['not its node selector', { nodeSelector: { disk: 'ssd' } }, node('a'), goes],
    ['its affinity', required(['z1']), node('a', [], { zone: 'z1' }), runs],
    ['no label by a name of Object.prototype', required(['z1'], 'constructor', 'Exists'), node('a'), goes],
    ['not its affinity', required(['z2']), node('a', [], { zone: 'z1' }), goes],
  ])('knows %s', (_, template, where, expected) => {
    expect(eligibilityOf(set({}, template), where)).toEqual(expected);
  });

  it('adds what daemons tolerate once, after what they tolerate themselves', () => {
    const own = [{ key: 'gpu', operator: 'Exists' }];
    const once = daemonTolerations({ containers: [], tolerations: own, hostNetwork: true });
    expect(once).toHaveLength(8);
    expect(once[0]).toEqual(own[0]);
    expect(daemonTolerations({ containers: [], tolerations: once, hostNetwork: true })).toEqual(once);
  });
});

describe('daemonPlan', () => {
  it('creates where a pod is missing, and deletes doubles and pods of unknown nodes', () => {
    const pending = sketchPod('gone', { labels: { [hashLabel]: 'new' } });
    const one = state(set(), 'abc', [
      pod('a1', 'new'),
      pod('a2', 'new', { created: '2026-01-01T00:30:00Z' }),
      pod('b1', 'new'),
    ]);
    const withGone = { ...one, pods: new Map([...one.pods, ['z', [pending]]]) };
    expect(names(daemonPlan(withGone, clock, () => true))).toEqual({ create: ['c'], delete: ['a2', 'gone'] });
  });

  it('replaces ended pods on request', () => {
    const one = state(set(), 'a', [pod('a1', 'new', { phase: 'Failed' })]);
    expect(names(daemonPlan(one, clock, () => false)).delete).toEqual([]);
    expect(names(daemonPlan(one, clock, () => true)).delete).toEqual(['a1']);
  });
});

describe('rollingPlan', () => {
  const rolling = (rollingUpdate: object) => set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });

  it('deletes old pods that are unavailable, and others as far as may be unavailable', () => {
    const pods = [pod('a1', 'old'), pod('b1', 'old', { ready: '' }), pod('c1', 'old'), pod('d1', 'new')];
    expect(names(rollingPlan(state(rolling({ maxUnavailable: 1 }), 'abcd', pods), clock)).delete).toEqual(['b1']);
    expect(names(rollingPlan(state(rolling({ maxUnavailable: 2 }), 'abcd', pods), clock)).delete).toEqual(['b1', 'a1']);
  });

  it('creates new pods beside old ones as far as may surge, and deletes old ones that are replaced', () => {
    const pods = [pod('a1', 'old'), pod('b1', 'old'), pod('c1', 'old'), pod('c2', 'new')];
    expect(names(rollingPlan(state(rolling({ maxSurge: 1, maxUnavailable: 0 }), 'abc', pods), clock))).toEqual({
      create: ['a'],
      delete: ['c1'],
    });
    const starting = [pod('a1', 'old'), pod('c1', 'old'), pod('c2', 'new', { ready: '' })];
    expect(names(rollingPlan(state(rolling({ maxSurge: 1, maxUnavailable: 0 }), 'ac', starting), clock))).toEqual({
      create: [],
      delete: [],
    });
  });
});

it('counts nodes, not pods', () => {
  const one = state(set({}, { nodeSelector: { x: 'y' } }), 'ab', [pod('a1', 'old')]);
  const nodes = [node('a'), node('b', [], { x: 'y' }), node('c', [], { x: 'y' })];
  const pods = new Map([...one.pods, ['b', [pod('b1', 'new')]]]);
  expect(daemonStatus({ ...one, nodes, pods }, clock)).toEqual({
    currentNumberScheduled: 1,
    numberMisscheduled: 1,
    desiredNumberScheduled: 2,
    numberReady: 1,
    observedGeneration: 1,
    updatedNumberScheduled: 1,
    numberAvailable: 1,
    numberUnavailable: 1,
  });
});
