/** Defaults of pod-level resources that are only partly set (`core/v1/defaults.go`). */

import { addQuantities, formatQuantity, largerQuantity, parseQuantity, type Quantity } from '@fleet/kube/quantity.ts';
import type { PodSpec, ResourceList } from './pod-spec.ts';

type Amounts = Map<string, Quantity>;

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isOfPods = (name: string): boolean => name === 'cpu' || name === 'memory' || isHugePages(name);

const amountsOf = (list: ResourceList = {}): Amounts =>
  new Map(Object.entries(list).map(([name, text]) => [name, parseQuantity(text)]));

function joined(a: Amounts, b: Amounts, join: (a: Quantity, b: Quantity) => Quantity): Amounts {
  const made = new Map(a);
  for (const [name, amount] of b) made.set(name, made.has(name) ? join(made.get(name)!, amount) : amount);
  return made;
}

/** The sum over all containers: init containers run one after the other, sidecars in addition to the others. */
function aggregate({ containers, initContainers = [] }: PodSpec, list: 'requests' | 'limits'): Amounts {
  let running: Amounts = new Map();
  for (const { resources } of containers ?? []) running = joined(running, amountsOf(resources?.[list]), addQuantities);
  let beside: Amounts = new Map();
  let preparing: Amounts = new Map();
  for (const { resources, restartPolicy } of initContainers) {
    const own = amountsOf(resources?.[list]);
    const atOnce = joined(beside, own, addQuantities);
    if (restartPolicy === 'Always') {
      running = joined(running, own, addQuantities);
      beside = atOnce;
    }
    preparing = joined(preparing, atOnce, largerQuantity);
  }
  return joined(running, preparing, largerQuantity);
}

export function defaultPodLevelResources(spec: PodSpec): void {
  const { resources } = spec;
  if (!resources) return;
  const [limits, requests] = [{ ...resources.limits }, { ...resources.requests }];
  if (Object.keys(limits).length > 0 || Object.keys(requests).length > 0)
    for (const [name, amount] of aggregate(spec, 'limits'))
      if (isHugePages(name) && requests[name] === undefined) limits[name] ??= formatQuantity(amount);
  if (Object.keys(limits).length > 0) {
    resources.limits = limits;
    for (const [name, amount] of aggregate(spec, 'requests'))
      if (isOfPods(name) && !isHugePages(name)) requests[name] ??= formatQuantity(amount);
    for (const [name, amount] of Object.entries(limits)) if (isOfPods(name)) requests[name] ??= amount;
  }
  if (Object.keys(requests).length > 0) resources.requests = requests;
}
