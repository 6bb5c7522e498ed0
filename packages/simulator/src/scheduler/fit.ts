/** Which nodes can take a pod, and why the others cannot: the filters of kube-scheduler in its order (`pkg/scheduler`). */

import type { Node } from '../nodes/node.ts';
import type { NodeSelectorTerm, Pod } from '../pod.ts';
import type { NodeLoad } from './node-load.ts';
import { type Amounts, amountIn, hostPorts, podRequests, portsConflict } from './pod-requests.ts';
import { isKeptAway, tolerates } from './toleration.ts';

export interface Unfit {
  reasons: string[];
  /** Pods that leave the node would not help. */
  isFinal: boolean;
}

const unfit = (reason: string): Unfit => ({ reasons: [reason], isFinal: true });

/** What is asked of every node, made once for the pod. */
export interface Demand {
  pod: Pod;
  requests: Amounts;
  ports: readonly string[];
}

export const demandOf = (pod: Pod): Demand => ({ pod, requests: podRequests(pod), ports: hostPorts(pod) });

/** The names that required terms allow by `metadata.name`, as DaemonSets set it; undefined: any. */
export function allowedNames({ spec }: Pod): ReadonlySet<string> | undefined {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const lists = terms?.map(namesOf);
  if (!lists || lists.length === 0 || lists.some((names) => names === undefined)) return undefined;
  return new Set(lists.flatMap((names) => names ?? []));
}

const namesOf = ({ matchFields }: NodeSelectorTerm): string[] | undefined =>
  matchFields?.find(({ key, operator }) => key === 'metadata.name' && operator === 'In')?.values;

/** The first filter that refuses the node; undefined: it fits. */
export function whyUnfit({ pod, requests, ports }: Demand, node: Node, load: NodeLoad): Unfit | undefined {
  const { spec } = pod;
  const tolerations = spec.tolerations ?? [];
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  if (node.spec.unschedulable && !tolerations.some((one) => tolerates(one, cordon)))
    return unfit('node(s) were unschedulable');
  if (spec.nodeName && spec.nodeName !== node.metadata.name)
    return unfit("node(s) didn't match the requested node name");
  if (isKeptAway(node.spec.taints ?? [], tolerations)) return unfit('node(s) had untolerated taint(s)');
  const labels = node.metadata.labels ?? {};
  if (Object.entries(spec.nodeSelector ?? {}).some(([key, value]) => labels[key] !== value))
    return unfit("node(s) didn't match Pod's node affinity/selector");
  if (ports.length > 0 && Iterator.from(load.ports()).some((taken) => ports.some((port) => portsConflict(port, taken))))
    return { reasons: ["node(s) didn't have free ports for the requested pod ports"], isFinal: false };
  return insufficient(requests, load);
}

/** `cpu`, `memory` and `ephemeral-storage` first, as kube-scheduler looks at them. */
const first = ['cpu', 'memory', 'ephemeral-storage'];

function insufficient(requests: Amounts, load: NodeLoad): Unfit | undefined {
  const { allocatable, requested } = load;
  const reasons = load.podCount + 1 > (allocatable['pods'] ?? 0) ? ['Too many pods'] : [];
  let isFinal = false;
  for (const name of [...first, ...Object.keys(requests).filter((one) => !first.includes(one))]) {
    const asked = amountIn(requests, name);
    const all = amountIn(allocatable, name);
    if (asked === 0 || asked <= all - amountIn(requested, name)) continue;
    reasons.push(`Insufficient ${name}`);
    isFinal ||= asked > all;
  }
  return reasons.length > 0 ? { reasons, isFinal } : undefined;
}
