/** Computes the resources that a pod requests, by the scheduler's rules. */

import { addQuantities, largerQuantity } from '@fleet/kube/quantity.ts';
import type { ResourceList } from '../members/cluster.ts';
import { type Amounts, addAll, amountsOf } from './amounts.ts';

export interface Container {
  restartPolicy?: string | undefined;
  requests?: ResourceList | undefined;
}

export interface PodSpec {
  containers: readonly Container[];
  initContainers: readonly Container[];
  overhead?: ResourceList | undefined;
  /** Requests of the whole pod, which take precedence over those of its containers. */
  requests?: ResourceList | undefined;
}

/** Init containers run one at a time, before the others; those that always restart run beside all later ones. */
export function requestOf({ containers, initContainers, overhead, requests }: PodSpec): Amounts {
  const total: Amounts = new Map();
  for (const container of containers) addAll(total, amountsOf(container.requests));
  const sidecars: Amounts = new Map();
  const starting: Amounts = new Map();
  for (const container of initContainers) {
    const own = amountsOf(container.requests);
    if (container.restartPolicy === 'Always') addAll(sidecars, own);
    else raise(starting, withSidecars(own, sidecars));
  }
  addAll(total, sidecars);
  raise(total, starting);
  for (const [name, quantity] of amountsOf(requests)) total.set(name, quantity);
  addAll(total, amountsOf(overhead));
  return total;
}

/** Only the container's own requests: the sidecars' are added to the total separately. */
function withSidecars(own: Amounts, sidecars: Amounts): Amounts {
  for (const [name, quantity] of own) {
    const beside = sidecars.get(name);
    if (beside) own.set(name, addQuantities(beside, quantity));
  }
  return own;
}

/** Raises each amount of the first to that of the second, if that is larger. */
function raise(to: Amounts, at: Amounts): void {
  for (const [name, quantity] of at) {
    const known = to.get(name);
    to.set(name, known ? largerQuantity(known, quantity) : quantity);
  }
}
