/** What a pod asks of a node: `PodRequests` of k8s.io/component-helpers/resource, and the ports of the machine. */

import { parseQuantity } from '@fleet/kube/quantity.ts';
import type { Container, Pod, ResourceList } from '../pod.ts';

/** By resource: `cpu` in thousandths, everything else in whole units. */
export type Amounts = Record<string, number>;

const nanoPerMilli = 1_000_000n;
const nanoPerUnit = 1_000_000_000n;
const up = (nano: bigint, unit: bigint): number => Number((nano + unit - 1n) / unit);

/** The same few texts are in thousands of pods. */
const parsed = new Map<string, bigint>();
const mostParsed = 1_000;

function nanoOf(text: string): bigint {
  let nano = parsed.get(text);
  if (nano === undefined) {
    ({ nano } = parseQuantity(text));
    if (parsed.size >= mostParsed) parsed.clear();
    parsed.set(text, nano);
  }
  return nano;
}

export function amountsOf(list: ResourceList | undefined): Amounts {
  const amounts: Amounts = {};
  for (const [name, text] of Object.entries(list ?? {})) {
    amounts[name] = up(nanoOf(String(text)), name === 'cpu' ? nanoPerMilli : nanoPerUnit);
  }
  return amounts;
}

/** Resources are called as pods call them, `constructor` included. */
export const amountIn = (amounts: Readonly<Amounts>, name: string): number =>
  Object.hasOwn(amounts, name) ? amounts[name]! : 0;

export function addTo(sum: Amounts, more: Amounts, sign = 1): void {
  for (const [name, amount] of Object.entries(more)) sum[name] = amountIn(sum, name) + sign * amount;
}

function raiseTo(sum: Amounts, least: Amounts): void {
  for (const [name, amount] of Object.entries(least)) sum[name] = Math.max(amountIn(sum, name), amount);
}

/** Init containers run one after the other, beside the sidecars that were started before them. */
function requestsOf({ spec }: Pod, ofContainer: (container: Container) => Amounts): Amounts {
  const total: Amounts = {};
  for (const container of spec.containers) addTo(total, ofContainer(container));
  const sidecars: Amounts = {};
  const initial: Amounts = {};
  for (const container of spec.initContainers ?? []) {
    const amounts = ofContainer(container);
    if (container.restartPolicy === 'Always') {
      addTo(total, amounts);
      addTo(sidecars, amounts);
      raiseTo(initial, sidecars);
    } else {
      const beside = { ...sidecars };
      addTo(beside, amounts);
      raiseTo(initial, beside);
    }
  }
  raiseTo(total, initial);
  Object.assign(total, amountsOf(spec.resources?.requests));
  addTo(total, amountsOf(spec.overhead));
  return total;
}

export const podRequests = (pod: Pod): Amounts => requestsOf(pod, ({ resources }) => amountsOf(resources?.requests));

/** `pkg/scheduler/util/pod_resources.go`: what containers count as that ask for nothing, when nodes are compared. */
const usualRequests: Amounts = { cpu: 100, memory: 200 * 1024 * 1024 };

export const comparedRequests = (pod: Pod): Amounts =>
  requestsOf(pod, ({ resources }) => ({ ...usualRequests, ...amountsOf(resources?.requests) }));

/** `0.0.0.0/TCP/80`. */
export function hostPorts({ spec }: Pod): string[] {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...spec.containers, ...sidecars].flatMap(({ ports = [] }) =>
    ports
      .filter(({ hostPort = 0 }) => hostPort > 0)
      .map(({ hostPort, hostIP, protocol }) => `${hostIP || '0.0.0.0'}/${protocol || 'TCP'}/${hostPort}`),
  );
}

/** All addresses of the machine take part in one that listens on each. */
export function portsConflict(a: string, b: string): boolean {
  const [ipA, protocolA, portA] = a.split('/');
  const [ipB, protocolB, portB] = b.split('/');
  const meet = ipA === ipB || ipA === '0.0.0.0' || ipB === '0.0.0.0';
  return meet && protocolA === protocolB && portA === portB;
}
