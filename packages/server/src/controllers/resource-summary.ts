/** A member's nodeSummary and resourceSummary (CLU-1), counted as its lists stream by: one object is parsed at a time. */

import { errorOf } from '@fleet/client/kube-client.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { splitList } from '@fleet/kube/list-splitter.ts';
import { formatQuantity, type Quantity } from '@fleet/kube/quantity.ts';
import type { NodeSummary, ResourceList, ResourceSummary } from '../members/cluster.ts';
import { type Amounts, addAll, amountsOf } from './amounts.ts';
import { type PodSpec, requestOf } from './pod-request.ts';

interface Node {
  status?: { allocatable?: ResourceList; conditions?: { type: string; status: string }[] };
}

interface Pod {
  spec?: PodSpec & { nodeName?: string };
  status?: { phase?: string };
}

export interface Summaries {
  nodeSummary: NodeSummary;
  resourceSummary: ResourceSummary;
}

const pageSize = 500;

export async function readSummaries(upstream: Upstream, signal: AbortSignal): Promise<Summaries> {
  const allocatable: Amounts = new Map();
  const nodeSummary = { totalNum: 0, readyNum: 0 };
  for await (const { status } of eachObject<Node>(upstream, '/api/v1/nodes', signal)) {
    nodeSummary.totalNum++;
    const ready = status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
    if (ready) nodeSummary.readyNum++;
    addAll(allocatable, amountsOf(status?.allocatable));
  }
  const allocating = new Pods();
  const allocated = new Pods();
  for await (const pod of eachObject<Pod>(upstream, '/api/v1/pods', signal)) {
    // Karmada's definitions: not on a node yet; on one, and not over.
    if (!pod.spec?.nodeName) allocating.add(pod);
    else if (pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed') allocated.add(pod);
  }
  return {
    nodeSummary,
    resourceSummary: {
      allocatable: written(allocatable),
      allocating: allocating.written(),
      allocated: allocated.written(),
    },
  };
}

class Pods {
  private count = 0;
  private readonly amounts: Amounts = new Map();

  add({ spec }: Pod): void {
    this.count++;
    if (spec) addAll(this.amounts, requestOf(spec));
  }

  written(): ResourceList {
    return { ...written(this.amounts), ...(this.count > 0 ? { pods: String(this.count) } : {}) };
  }
}

const written = (amounts: ReadonlyMap<string, Quantity>): ResourceList =>
  Object.fromEntries([...amounts].sort().map(([name, quantity]) => [name, formatQuantity(quantity)]));

async function* eachObject<T>(upstream: Upstream, path: string, signal: AbortSignal): AsyncGenerator<T, void, void> {
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
    const reply = await upstream.call({
      method: 'GET',
      path: `${path}?limit=${pageSize}${query}`,
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'fleet' },
      signal,
    });
    if (reply.status !== 200) throw errorOf(reply.status, await reply.body.refusal());
    token = undefined;
    for await (const part of splitList(reply.body, reply.body.memory)) {
      if (part.is === 'items') for (const item of part.items) yield JSON.parse(item.toString()) as T;
      else if (part.is === 'end') token = part.envelope.metadata?.continue || undefined;
    }
  }
}
