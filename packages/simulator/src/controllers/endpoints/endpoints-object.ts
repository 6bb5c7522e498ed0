/** Builds the Endpoints of a Service, which Kubernetes still keeps beside EndpointSlices. */

import { isIPv6 } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import type { Pod } from '../../pods/pod.ts';
import { isReady } from '../../pods/pod-conditions.ts';
import { sortedSubsetPorts } from './port-order.ts';
import { headlessLabel, hostnameOf, isEndpoint, isHeadless, portIn, type Service } from './service.ts';

export interface EndpointAddress {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: { kind: string; namespace?: string; name: string; uid?: string };
}

interface SubsetPort {
  name?: string;
  port: number;
  protocol: string;
  appProtocol?: string;
}

export interface EndpointSubset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: SubsetPort[];
}

export interface Endpoints extends KubeObject {
  subsets?: EndpointSubset[];
}

const managedBy = 'endpoints.kubernetes.io/managed-by';
const controllerName = 'endpoint-controller';
const overCapacity = 'endpoints.kubernetes.io/over-capacity';
const mostAddresses = 1000;

/** The pod's address in the first IP family of the Service. */
function addressOf(service: Service, pod: Pod): string | undefined {
  const { ipFamilies = [], clusterIP = '' } = service.spec;
  const wantsIPv6 = ipFamilies[0] ? ipFamilies[0] === 'IPv6' : isIPv6(clusterIP);
  const ips = pod.status?.podIPs?.map(({ ip }) => ip) ?? [pod.status?.podIP ?? ''];
  return ips.find((ip) => isIPv6(ip) === wantsIPv6);
}

/** Groups addresses with the same ports. */
export async function subsetsOf(service: Service, pods: readonly Pod[]): Promise<EndpointSubset[]> {
  const isPublished = service.spec.publishNotReadyAddresses === true;
  const offers = new Map<string, { address: EndpointAddress; isReady: boolean; key: string }>();
  /** Ports are sorted once for all pods that have them. */
  const sorted = new Map<string, SubsetPort[]>();
  const pace = new Pace();
  for (const pod of pods) {
    if (pace.isDue) await pace.rest();
    const ip = isEndpoint(pod, isPublished) ? addressOf(service, pod) : undefined;
    if (ip === undefined) continue;
    const ports = (service.spec.ports ?? []).flatMap((port) => {
      const number = portIn(pod, port);
      if (number === undefined) return [];
      const { name, protocol = 'TCP', appProtocol } = port;
      return [{ ...(name ? { name } : {}), port: number, protocol, ...(appProtocol ? { appProtocol } : {}) }];
    });
    const isPortless = (service.spec.ports ?? []).length === 0 && service.spec.clusterIP === 'None';
    if (ports.length === 0 && !isPortless) continue;
    const { namespace, name, uid } = pod.metadata;
    const address: EndpointAddress = {
      ip,
      ...hostnameOf(pod, service),
      ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
      targetRef: { kind: 'Pod', namespace: namespace!, name, uid: uid! },
    };
    const key = JSON.stringify(ports);
    if (!sorted.has(key)) sorted.set(key, sortedSubsetPorts(ports));
    offers.set(`${ip} ${uid}`, { address, isReady: isPublished || isReady(pod), key });
  }
  const groups = Map.groupBy(offers.values(), ({ key }) => key);
  return Array.from(groups, ([key, group]) => ({ ports: sorted.get(key)!, group }))
    .map((one) => ({ ...one, order: JSON.stringify(one.ports) }))
    .sort((left, right) => (left.order < right.order ? -1 : 1))
    .map(({ ports, group }) => {
      const all = group.sort((left, right) => compareAddresses(left.address, right.address));
      const ready = all.filter((one) => one.isReady).map(({ address }) => address);
      const notReady = all.filter((one) => !one.isReady).map(({ address }) => address);
      return {
        ...(ready.length > 0 ? { addresses: ready } : {}),
        ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}),
        ...(ports.length > 0 ? { ports } : {}),
      };
    });
}

const padded = (ip: string): string =>
  ip
    .split('.')
    .map((part) => part.padStart(3, '0'))
    .join('.');

function compareAddresses(left: EndpointAddress, right: EndpointAddress): number {
  const [leftKey, rightKey] = [left, right].map(({ ip, targetRef }) => `${padded(ip)} ${targetRef?.uid ?? ''}`);
  return leftKey! < rightKey! ? -1 : 1;
}

/** Ready addresses come first; addresses in excess of the capacity are dropped, which an annotation records. */
export function withinCapacity(subsets: readonly EndpointSubset[]): {
  subsets: EndpointSubset[];
  isTruncated: boolean;
} {
  let left = mostAddresses;
  let isTruncated = false;
  const cut = (addresses: EndpointAddress[] | undefined): EndpointAddress[] | undefined => {
    if (!addresses) return undefined;
    const kept = addresses.slice(0, left);
    isTruncated ||= kept.length < addresses.length;
    left -= kept.length;
    return kept.length > 0 ? kept : undefined;
  };
  const ready = subsets.map(({ addresses }) => cut(addresses));
  const next = subsets.map(({ notReadyAddresses, ports }, index) => {
    const notReady = cut(notReadyAddresses);
    return {
      ...(ready[index] ? { addresses: ready[index] } : {}),
      ...(notReady ? { notReadyAddresses: notReady } : {}),
      ...(ports ? { ports } : {}),
    };
  });
  return { subsets: next, isTruncated };
}

/** Undefined if nothing has changed. */
export async function nextEndpoints(
  service: Service,
  pods: readonly Pod[],
  known: Endpoints | undefined,
): Promise<Endpoints | undefined> {
  const { subsets, isTruncated } = withinCapacity(await subsetsOf(service, pods));
  const { [headlessLabel]: _, ...own } = service.metadata.labels ?? {};
  const labels = { ...own, ...(isHeadless(service) ? { [headlessLabel]: '' } : {}), [managedBy]: controllerName };
  const { [overCapacity]: before, ...annotations } = known?.metadata.annotations ?? {};
  const isSame =
    known &&
    isDeepStrictEqual(known.subsets ?? [], subsets) &&
    isDeepStrictEqual(known.metadata.labels, labels) &&
    (before !== undefined) === isTruncated;
  if (isSame) return undefined;
  const { subsets: __, ...rest } = known ?? {};
  return {
    ...rest,
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      ...known?.metadata,
      name: service.metadata.name,
      namespace: service.metadata.namespace!,
      labels,
      annotations: { ...annotations, ...(isTruncated ? { [overCapacity]: 'truncated' } : {}) },
    },
    ...(subsets.length > 0 ? { subsets } : {}),
  };
}
