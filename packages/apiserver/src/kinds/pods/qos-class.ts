/** Computes the QoS class of a pod from its requests and limits (`core/helper/qos`). */

import { parseQuantity } from '@fleet/kube/quantity.ts';
import type { Container, PodSpec, ResourceList } from './pod-spec.ts';

type Amounts = Map<string, bigint>;

const counted = ['cpu', 'memory'];

/** The amounts of a list; zero counts as absent. */
const amountsIn = (list: ResourceList = {}): [string, bigint][] =>
  counted.flatMap((name): [string, bigint][] => {
    const nano = list[name] === undefined ? 0n : parseQuantity(list[name]).nano;
    return nano > 0n ? [[name, nano]] : [];
  });

function add(sums: Amounts, amounts: readonly [string, bigint][]): void {
  for (const [name, nano] of amounts) sums.set(name, (sums.get(name) ?? 0n) + nano);
}

export function qosClassOf(spec: PodSpec): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const [requests, limits]: [Amounts, Amounts] = [new Map(), new Map()];
  // Resources of the pod as a whole take precedence over those of its containers.
  const asking: Pick<Container, 'resources'>[] = spec.resources
    ? [{ resources: spec.resources }]
    : [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  let isFull = true;
  for (const { resources } of asking) {
    add(requests, amountsIn(resources?.requests));
    const own = amountsIn(resources?.limits);
    add(limits, own);
    isFull &&= own.length === counted.length;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isGuaranteed =
    isFull && requests.size === limits.size && [...requests].every(([name, nano]) => limits.get(name) === nano);
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}
