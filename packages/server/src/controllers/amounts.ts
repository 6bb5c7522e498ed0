/** Sums quantities by resource name. The result is bounded, as it becomes part of a Cluster's status (SEC-2). */

import { addQuantities, parseQuantity, type Quantity } from '@fleet/kube/quantity.ts';
import type { ResourceList } from '../members/cluster.ts';

export type Amounts = Map<string, Quantity>;

export class AmountsError extends Error {}

/** A node has about ten resources, and one more for each kind of device. */
const mostNames = 256;
/** In characters: a prefix of 253, a slash and a name of 63. */
const longestName = 317;
/** In billionths: far more than all clusters together have of any resource. */
const largest = 10n ** 36n;

export function amountsOf(list: ResourceList | undefined): Amounts {
  if (list == null) return new Map();
  if (typeof list !== 'object' || Array.isArray(list)) throw new AmountsError('a resource list that is not an object');
  const names = Object.keys(list);
  if (names.length > mostNames) throw new AmountsError(`a resource list of ${names.length} names`);
  const amounts: Amounts = new Map();
  for (const name of names) put(amounts, name, parseQuantity(String(list[name])));
  return amounts;
}

/** Adds the second to the first. */
export function addAll(to: Amounts, more: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of more) {
    const known = to.get(name);
    put(to, name, known ? addQuantities(known, quantity) : quantity);
  }
}

function put(to: Amounts, name: string, quantity: Quantity): void {
  if (quantity.nano > largest || quantity.nano < -largest) throw new AmountsError('a quantity out of range');
  if (name.length > longestName) throw new AmountsError(`a resource name of ${name.length} characters`);
  // If each node names its devices differently, only the first names are summed.
  if (to.size < mostNames || to.has(name)) to.set(name, quantity);
}
