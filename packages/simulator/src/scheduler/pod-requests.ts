/** Computes a pod's requests: `PodRequests` of k8s.io/component-helpers/resource, and its host ports. */

import { parseQuantity } from '@fleet/kube/quantity.ts';
import type { Container, Pod, ResourceList } from '../pods/pod.ts';

/** By resource: `cpu` in millicores, everything else in whole units. */
export type Amounts = Record<string, number>;

const nanoPerMilli = 1_000_000n;
const nanoPerUnit = 1_000_000_000n;
const up = (nano: bigint, unit: bigint): number => Number((nano + unit - 1n) / unit);

/** Cached, as thousands of pods have the same few values. */
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

/** Pods choose the names of resources, which may be `constructor`. */
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
    // Only the resources that it requests can exceed the previous maximum.
    for (const [name, amount] of Object.entries(amounts)) {
      initial[name] = Math.max(amountIn(initial, name), amountIn(sidecars, name) + amount);
    }
    if (container.restartPolicy !== 'Always') continue;
    addTo(total, amounts);
    addTo(sidecars, amounts);
  }
  raiseTo(total, initial);
  Object.assign(total, amountsOf(spec.resources?.requests));
  addTo(total, amountsOf(spec.overhead));
  return total;
}

export const podRequests = (pod: Pod): Amounts => requestsOf(pod, ({ resources }) => amountsOf(resources?.requests));

/** `pkg/scheduler/util/pod_resources.go`: the default for containers without requests, when nodes are compared. */
const usualRequests: Amounts = { cpu: 100, memory: 200 * 1024 * 1024 };

export const nonZeroRequests = (pod: Pod): Amounts =>
  requestsOf(pod, ({ resources }) => ({ ...usualRequests, ...amountsOf(resources?.requests) }));

/** `0.0.0.0/TCP/80`. */
export function hostPorts({ spec }: Pod): string[] {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...spec.containers, ...sidecars].flatMap(({ ports = [] }) =>
    ports
      .filter(({ hostPort = 0 }) => hostPort > 0)
      .map(({ hostPort, hostIP, protocol }) => `${hostIP || anyAddress}/${protocol || 'TCP'}/${hostPort}`),
  );
}

/** Whether one of these ports is used by another pod. A port on 0.0.0.0 conflicts with the same port on every address. */
export function portsConflict(ports: readonly string[]): (taken: string) => boolean {
  const addresses = new Map<string, Set<string>>();
  for (const port of ports) {
    const [address, rest] = addressAndPort(port);
    addresses.set(rest, (addresses.get(rest) ?? new Set()).add(address));
  }
  return (taken) => {
    const [address, rest] = addressAndPort(taken);
    const own = addresses.get(rest);
    return own !== undefined && (address === anyAddress || own.has(anyAddress) || own.has(address));
  };
}

const anyAddress = '0.0.0.0';

function addressAndPort(port: string): [string, string] {
  const at = port.indexOf('/');
  return [port.slice(0, at), port.slice(at)];
}
