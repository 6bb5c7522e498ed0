/** Chooses the node for a pod: the least allocated of those that fit, or the message why none does. */

import type { Pod } from '../pods/pod.ts';
import { allowedNames, demandOf, type Unfit, whyUnfit } from './fit.ts';
import type { NodeLoad } from './node-load.ts';
import { type Amounts, nonZeroRequests } from './pod-requests.ts';

export type Choice = { node: string } | { node: undefined; message: string };

/** `refusal` is the reason why no node fits. */
export function chooseNode(pod: Pod, loads: Iterable<NodeLoad>, refusal?: string): Choice {
  const known = [...loads].filter(({ node }) => node);
  if (known.length === 0) return { node: undefined, message: 'no nodes available to schedule pods' };
  // kube-scheduler's text: its plugin for resource claims, called next, finds no state of its own.
  if (refusal !== undefined)
    return { node: undefined, message: `0/${known.length} nodes are available: ${refusal}. not found` };
  const demand = demandOf(pod);
  const allowed = allowedNames(pod);
  const candidates = allowed ? known.filter(({ node }) => allowed.has(node!.metadata.name)) : known;
  const requests = nonZeroRequests(pod);
  const unfits: Unfit[] = [];
  let best: { load: NodeLoad; score: number } | undefined;
  for (const load of candidates) {
    const unfit = whyUnfit(demand, load.node!, load);
    if (unfit) {
      unfits.push(unfit);
      continue;
    }
    const score = leastAllocated(requests, load);
    // Of equal nodes the one with fewer pods, so that pods spread in small clusters.
    if (!best || score > best.score || (score === best.score && load.podCount < best.load.podCount))
      best = { load, score };
  }
  if (best) return { node: best.load.node!.metadata.name };
  return { node: undefined, message: unfitMessage(pod, unfits, known.length) };
}

/** `pkg/scheduler/framework/plugins/noderesources/least_allocated.go`: cpu and memory, each up to 100. */
function leastAllocated(requests: Amounts, { allocatable, nonZeroRequested }: NodeLoad): number {
  const scores = ['cpu', 'memory'].flatMap((name) => {
    const all = allocatable[name] ?? 0;
    const taken = (nonZeroRequested[name] ?? 0) + (requests[name] ?? 0);
    return all === 0 ? [] : [taken > all ? 0 : Math.floor(((all - taken) * 100) / all)];
  });
  return scores.length === 0 ? 0 : Math.floor(scores.reduce((sum, one) => sum + one, 0) / scores.length);
}

/** `pkg/scheduler/framework/types.go`, FitError: counted reasons, sorted by text. */
function counted(reasons: readonly string[], nodes: number): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const texts = Array.from(counts, ([reason, count]) => `${count} ${reason}`).sort();
  return `0/${nodes} nodes are available:${texts.length > 0 ? ` ${texts.join(', ')}.` : ''}`;
}

function unfitMessage({ spec }: Pod, unfits: readonly Unfit[], nodes: number): string {
  // Nodes excluded by a required name were not examined.
  const left = Array<string>(nodes - unfits.length).fill("node(s) didn't satisfy plugin(s) [NodeAffinity]");
  const message = counted([...unfits.flatMap(({ reasons }) => reasons), ...left], nodes);
  // The texts of the PostFilter plugins. No pod here has resource claims.
  const after = `${message} no new claims to deallocate, preemption:`;
  if (spec.preemptionPolicy === 'Never') return `${after} not eligible due to preemptionPolicy=Never.`;
  // Nothing is ever preempted, as if every pod had the same priority.
  const victims = unfits
    .filter(({ isUnresolvable }) => !isUnresolvable)
    .map(() => 'No preemption victims found for incoming pod');
  const helpless = Array<string>(nodes - victims.length).fill('Preemption is not helpful for scheduling');
  return `${after} ${counted([...victims, ...helpless], nodes)}`;
}
