import { describe, expect, it } from 'vitest';
import type { Node } from '../nodes/node.ts';
import type { Pod, PodSpec } from '../pods/pod.ts';
import { chooseNode } from './choose-node.ts';
import { NodeLoad } from './node-load.ts';
import { podRequests } from './pod-requests.ts';

const pod = (requests: Record<string, string> = {}, spec: Partial<PodSpec> = {}): Pod => ({
  metadata: { name: 'p', namespace: 'default' },
  spec: { containers: [{ name: 'c', resources: { requests } }], ...spec },
});

function load(name: string, spec: Node['spec'] = {}, labels: Record<string, string> = {}): NodeLoad {
  const one = new NodeLoad();
  const allocatable = { cpu: '2', memory: '4Gi', pods: '3' };
  one.node = { metadata: { name, labels }, spec, status: { allocatable } };
  return one;
}

const messageOf = (one: Pod, loads: NodeLoad[]): string => {
  const choice = chooseNode(one, loads);
  return choice.node === undefined ? choice.message : `chose ${choice.node}`;
};

describe('what a pod asks for', () => {
  it('is the sum of its containers, or what an init container beside its sidecars takes, and the overhead', () => {
    const of = (cpu: string) => ({ name: cpu, resources: { requests: { cpu } } });
    const spec: PodSpec = {
      containers: [of('100m'), of('200m')],
      initContainers: [of('250m'), { ...of('50m'), restartPolicy: 'Always' }, of('400m')],
      overhead: { cpu: '1m' },
    };
    expect(podRequests({ metadata: { name: 'p' }, spec })).toEqual({ cpu: 451 });
  });

  it('is a number, whatever the resource is called', () => {
    const odd = pod({ constructor: '2' });
    expect(podRequests(odd)).toEqual({ constructor: 2 });
    expect(messageOf(odd, [load('a')])).toContain('1 Insufficient constructor');
  });
});

describe('a pod that fits', () => {
  it('goes where least is taken', () => {
    const [a, b] = [load('a'), load('b')];
    a.add('1', pod({ cpu: '1' }));
    expect(chooseNode(pod(), [a, b])).toEqual({ node: 'b' });
    b.add('2', pod({ cpu: '1500m' }));
    expect(chooseNode(pod(), [a, b])).toEqual({ node: 'a' });
  });

  it('goes only where its selector, and the name that a DaemonSet gives it, allow', () => {
    const loads = [load('a'), load('b', {}, { disk: 'ssd' }), load('c')];
    expect(chooseNode(pod({}, { nodeSelector: { disk: 'ssd' } }), loads)).toEqual({ node: 'b' });
    expect(chooseNode(named('c'), loads)).toEqual({ node: 'c' });
  });

  it('goes to a tainted or cordoned node if it tolerates that', () => {
    const tainted = load('a', { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] });
    const tolerations = [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }];
    expect(chooseNode(pod({}, { tolerations }), [tainted])).toEqual({ node: 'a' });
    const cordoned = load('a', { unschedulable: true });
    expect(chooseNode(pod({}, { tolerations: [{ operator: 'Exists' }] }), [cordoned])).toEqual({ node: 'a' });
  });
});

const named = (name: string, requests: Record<string, string> = {}): Pod =>
  pod(requests, {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
        },
      },
    },
  });

describe('a pod that fits nowhere gets the message of kube-scheduler', () => {
  it('with too little of a resource, for now or ever', () => {
    const full = load('a');
    full.add('1', pod({ cpu: '1800m' }));
    expect(messageOf(pod({ cpu: '2' }), [full])).toBe(
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    );
    expect(messageOf(pod({ cpu: '3', memory: '8Gi' }), [full, load('b')])).toBe(
      '0/2 nodes are available: 2 Insufficient cpu, 2 Insufficient memory. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    );
    expect(messageOf(pod({ 'example.com/gpu': '1' }), [full])).toContain('1 Insufficient example.com/gpu.');
  });

  it('with taints, cordons and selectors, each node counted once', () => {
    const loads = [
      load('a', { taints: [{ key: 'k', effect: 'NoSchedule' }] }),
      load('b', { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] }),
      load('c'),
    ];
    expect(messageOf(pod({}, { nodeSelector: { disk: 'ssd' } }), loads)).toBe(
      "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    );
  });

  it('with no place for one more pod, or for its port', () => {
    const full = load('a');
    for (const uid of ['1', '2', '3']) full.add(uid, pod());
    const taken = load('b');
    const ports = (hostIP?: string) => [{ containerPort: 80, hostPort: 80, ...(hostIP ? { hostIP } : {}) }];
    taken.add('4', pod({}, { containers: [{ name: 'c', ports: ports('127.0.0.1') }] }));
    expect(messageOf(pod({}, { containers: [{ name: 'c', ports: ports() }] }), [full, taken])).toBe(
      "0/2 nodes are available: 1 Too many pods, 1 node(s) didn't have free ports for the requested pod ports. no new claims to deallocate, preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.",
    );
  });

  it('with a required name, of which the others are left out', () => {
    const loads = [load('a'), load('b'), load('c')];
    expect(messageOf(named('b', { cpu: '3' }), loads)).toBe(
      "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    );
  });

  it('without any node, and where it must not preempt', () => {
    expect(messageOf(pod(), [])).toBe('no nodes available to schedule pods');
    expect(messageOf(pod({ cpu: '9' }, { preemptionPolicy: 'Never' }), [load('a')])).toBe(
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
    );
  });
});
