/** Computes a member's nodeSummary and resourceSummary (CLU-1) while its lists are streamed: one object is parsed at a time. */

import type { Upstream } from '@fleet/client/upstream.ts';
import { formatQuantity, type Quantity } from '@fleet/kube/quantity.ts';
import type { NodeSummary, ResourceList, ResourceSummary } from '../members/cluster.ts';
import { type Amounts, addAll, amountsOf } from './amounts.ts';
import { countedNode, countedPod } from './counted-object.ts';
import { memberObjects, type ReadLimits } from './member-objects.ts';
import { type PodSpec, requestOf } from './pod-request.ts';

export interface Summaries {
  nodeSummary: NodeSummary;
  resourceSummary: ResourceSummary;
}

export async function readSummaries(upstream: Upstream, signal: AbortSignal, limits?: ReadLimits): Promise<Summaries> {
  const allocatable: Amounts = new Map();
  const nodeSummary = { totalNum: 0, readyNum: 0 };
  for await (const bytes of memberObjects(upstream, '/api/v1/nodes', signal, limits)) {
    const node = countedNode(bytes);
    nodeSummary.totalNum++;
    if (node.isReady) nodeSummary.readyNum++;
    addAll(allocatable, amountsOf(node.allocatable));
  }
  const allocating = new Pods();
  const allocated = new Pods();
  for await (const bytes of memberObjects(upstream, '/api/v1/pods', signal, limits)) {
    const pod = countedPod(bytes);
    // Karmada's definitions: allocating pods have no node yet; allocated ones have one, and have not ended.
    if (!pod.isOnNode) allocating.add(pod.spec);
    else if (!pod.isOver) allocated.add(pod.spec);
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

  add(spec: PodSpec): void {
    this.count++;
    addAll(this.amounts, requestOf(spec));
  }

  written(): ResourceList {
    return { ...written(this.amounts), ...(this.count > 0 ? { pods: String(this.count) } : {}) };
  }
}

const written = (amounts: ReadonlyMap<string, Quantity>): ResourceList =>
  Object.fromEntries([...amounts].sort().map(([name, quantity]) => [name, formatQuantity(quantity)]));
