/** Filters nodes for a pod, and gives the reasons of the others: the filters of kube-scheduler in its order (`pkg/scheduler`). */

import { hasLabels } from '@fleet/apiserver/selectors/selector-object.ts';
import type { Node } from '../nodes/node.ts';
import type { NodeSelectorTerm, Pod } from '../pods/pod.ts';
import type { NodeLoad } from './node-load.ts';
import { type Amounts, amountIn, hostPorts, podRequests, portsConflict } from './pod-requests.ts';
import { isKeptAway, tolerates } from './toleration.ts';

export interface Unfit {
  reasons: string[];
  /** As `UnschedulableAndUnresolvable`: evicting pods from the node would not help. */
  isUnresolvable: boolean;
}

const unfit = (reason: string): Unfit => ({ reasons: [reason], isUnresolvable: true });

/** The pod's requirements, computed once for all nodes. */
export interface Demand {
  pod: Pod;
  requests: Amounts;
  /** Whether a used port of a node is one that the pod needs. Undefined if it needs none. */
  needs: ((port: string) => boolean) | undefined;
}

export function demandOf(pod: Pod): Demand {
  const ports = hostPorts(pod);
  return { pod, requests: podRequests(pod), needs: ports.length > 0 ? portsConflict(ports) : undefined };
}

/** The names that required terms allow by `metadata.name`, as in DaemonSets; undefined if any. */
export function allowedNames({ spec }: Pod): ReadonlySet<string> | undefined {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const lists = terms?.map(namesOf);
  if (!lists || lists.length === 0 || lists.some((names) => names === undefined)) return undefined;
  return new Set(lists.flatMap((names) => names ?? []));
}

const namesOf = ({ matchFields }: NodeSelectorTerm): string[] | undefined =>
  matchFields?.find(({ key, operator }) => key === 'metadata.name' && operator === 'In')?.values;

/** The first filter that refuses the node; undefined if it fits. */
export function whyUnfit({ pod, requests, needs }: Demand, node: Node, load: NodeLoad): Unfit | undefined {
  const { spec } = pod;
  const tolerations = spec.tolerations ?? [];
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  if (node.spec.unschedulable && !tolerations.some((one) => tolerates(one, cordon)))
    return unfit('node(s) were unschedulable');
  if (spec.nodeName && spec.nodeName !== node.metadata.name)
    return unfit("node(s) didn't match the requested node name");
  if (isKeptAway(node.spec.taints ?? [], tolerations)) return unfit('node(s) had untolerated taint(s)');
  if (spec.nodeSelector && !hasLabels(node.metadata.labels ?? {}, spec.nodeSelector))
    return unfit("node(s) didn't match Pod's node affinity/selector");
  if (needs && Iterator.from(load.ports()).some(needs))
    return { reasons: ["node(s) didn't have free ports for the requested pod ports"], isUnresolvable: false };
  return insufficient(requests, load);
}

/** kube-scheduler checks `cpu`, `memory` and `ephemeral-storage` first. */
const first = ['cpu', 'memory', 'ephemeral-storage'];

function insufficient(requests: Amounts, load: NodeLoad): Unfit | undefined {
  const { allocatable, requested } = load;
  const reasons = load.podCount + 1 > (allocatable['pods'] ?? 0) ? ['Too many pods'] : [];
  let isUnresolvable = false;
  for (const name of [...first, ...Object.keys(requests).filter((one) => !first.includes(one))]) {
    const asked = amountIn(requests, name);
    const all = amountIn(allocatable, name);
    if (asked === 0 || asked <= all - amountIn(requested, name)) continue;
    reasons.push(`Insufficient ${name}`);
    isUnresolvable ||= asked > all;
  }
  return reasons.length > 0 ? { reasons, isUnresolvable } : undefined;
}
