/** Sums of quantities by resource name. */

import { addQuantities, parseQuantity, type Quantity } from '@fleet/kube/quantity.ts';
import type { ResourceList } from '../members/cluster.ts';

export type Amounts = Map<string, Quantity>;

export const amountsOf = (list: ResourceList | undefined): Amounts =>
  new Map(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(String(text))]));

/** Adds the second to the first. */
export function addAll(to: Amounts, more: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of more) {
    const known = to.get(name);
    to.set(name, known ? addQuantities(known, quantity) : quantity);
  }
}
