/** What a pod asks of its node, by the scheduler's rules. */

import { largerQuantity } from '@fleet/kube/quantity.ts';
import type { ResourceList } from '../members/cluster.ts';
import { type Amounts, addAll, amountsOf } from './amounts.ts';

interface Container {
  restartPolicy?: string;
  resources?: { requests?: ResourceList };
}

export interface PodSpec {
  containers?: Container[];
  initContainers?: Container[];
  overhead?: ResourceList;
  /** Requests of the pod as a whole, which come before those of its containers. */
  resources?: { requests?: ResourceList };
}

const requested = ({ resources }: Container): Amounts => amountsOf(resources?.requests);

/** Init containers run one at a time, before the others; those that always restart run beside all that come after. */
export function requestOf({ containers = [], initContainers = [], overhead, resources }: PodSpec): Amounts {
  const total: Amounts = new Map();
  for (const container of containers) addAll(total, requested(container));
  const sidecars: Amounts = new Map();
  const starting: Amounts = new Map();
  for (const container of initContainers) {
    const now = new Map(sidecars);
    addAll(now, requested(container));
    if (container.restartPolicy === 'Always') addAll(sidecars, requested(container));
    raise(starting, now);
  }
  addAll(total, sidecars);
  raise(total, starting);
  for (const [name, quantity] of amountsOf(resources?.requests)) total.set(name, quantity);
  addAll(total, amountsOf(overhead));
  return total;
}

/** The larger of the two, in the first. */
function raise(to: Amounts, at: Amounts): void {
  for (const [name, quantity] of at) {
    const known = to.get(name);
    to.set(name, known ? largerQuantity(known, quantity) : quantity);
  }
}
