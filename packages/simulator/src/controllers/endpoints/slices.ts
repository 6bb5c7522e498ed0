/** Plans the EndpointSlices of a Service: which ones to create, change and delete so that they match its pods. */

import { isIPv6 } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import type { Node } from '../../nodes/node.ts';
import type { Pod } from '../../pods/pod.ts';
import { isReady } from '../../pods/pod-conditions.ts';
import { controllerRef } from '../shared/controller-ref.ts';
import { sortedSlicePorts } from './port-order.ts';
import { headlessLabel, hostnameOf, isEndpoint, isHeadless, portIn, type Service, services } from './service.ts';

export interface Endpoint {
  addresses: string[];
  conditions: { ready: boolean; serving: boolean; terminating: boolean };
  hostname?: string;
  targetRef?: { kind: string; namespace?: string; name: string; uid?: string };
  nodeName?: string;
  zone?: string;
}

export interface EndpointPort {
  name: string;
  port: number;
  protocol: string;
  appProtocol?: string;
}

export interface EndpointSlice extends KubeObject {
  addressType: string;
  endpoints: Endpoint[] | null;
  ports: EndpointPort[] | null;
}

/** A new slice has no name yet. */
export type NewSlice = Omit<EndpointSlice, 'metadata'> & { metadata: Partial<EndpointSlice['metadata']> };

export interface SliceChanges {
  create: NewSlice[];
  update: EndpointSlice[];
  delete: EndpointSlice[];
  /** Pods on unknown nodes are left out until the nodes are known. */
  hasUnknownNodes: boolean;
}

export const managedBy = 'endpointslice.kubernetes.io/managed-by';
export const serviceName = 'kubernetes.io/service-name';
export const controllerName = 'endpointslice-controller.k8s.io';

const mostEndpoints = 100;
const longestName = 253;

function addressTypes({ spec }: Service): string[] {
  if (spec.ipFamilies && spec.ipFamilies.length > 0) return [...new Set(spec.ipFamilies)];
  if (spec.clusterIP && spec.clusterIP !== 'None') return [isIPv6(spec.clusterIP) ? 'IPv6' : 'IPv4'];
  return ['IPv4', 'IPv6'];
}

/** Not sorted yet. */
function portsOf(service: Service, pod: Pod): EndpointPort[] {
  return (service.spec.ports ?? []).flatMap((port) => {
    const number = portIn(pod, port);
    if (number === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = port;
    return [{ name, port: number, protocol, ...(appProtocol ? { appProtocol } : {}) }];
  });
}

function endpointOf(service: Service, pod: Pod, node: Node | undefined, type: string): Endpoint {
  const { metadata, spec, status } = pod;
  const serving = isReady(pod);
  const terminating = metadata.deletionTimestamp !== undefined;
  const zone = node?.metadata.labels?.['topology.kubernetes.io/zone'];
  return {
    addresses: (status?.podIPs ?? []).map(({ ip }) => ip).filter((ip) => isIPv6(ip) === (type === 'IPv6')),
    conditions: {
      ready: service.spec.publishNotReadyAddresses === true || (serving && !terminating),
      serving,
      terminating,
    },
    ...hostnameOf(pod, service),
    targetRef: { kind: 'Pod', namespace: metadata.namespace!, name: metadata.name, uid: metadata.uid! },
    ...(spec.nodeName ? { nodeName: spec.nodeName } : {}),
    ...(zone ? { zone } : {}),
  };
}

const keyOfEndpoint = ({ addresses, hostname = '', targetRef }: Endpoint): string =>
  JSON.stringify([addresses, hostname, targetRef?.name, targetRef?.uid]);

/** Cached by array: each is compared with many others, and never changes. */
const keysOfPorts = new WeakMap<readonly EndpointPort[], string>();

function keyOfPorts(ports: readonly EndpointPort[] | null): string {
  const known = ports && keysOfPorts.get(ports);
  if (known) return known;
  const texts = (ports ?? []).map(({ name, port, protocol, appProtocol }) =>
    JSON.stringify([name, port, protocol, appProtocol]),
  );
  const key = texts.sort().join();
  if (ports) keysOfPorts.set(ports, key);
  return key;
}

export function sliceLabels(service: Service): Record<string, string> {
  const { [headlessLabel]: _, ...labels } = service.metadata.labels ?? {};
  return {
    ...labels,
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    [serviceName]: service.metadata.name,
    [managedBy]: controllerName,
  };
}

function newSlice(service: Service, addressType: string, ports: EndpointPort[]): NewSlice {
  const { name, namespace } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`.length > longestName ? name : `${name}-`,
      namespace: namespace!,
      labels: sliceLabels(service),
      ownerReferences: [controllerRef(services, service)],
    },
    addressType,
    endpoints: [],
    ports,
  };
}

export async function sliceChanges(
  service: Service,
  pods: readonly Pod[],
  existing: readonly EndpointSlice[],
  nodeOf: (name: string) => Node | undefined,
): Promise<SliceChanges> {
  const types = addressTypes(service);
  const changes: SliceChanges = {
    create: [],
    update: [],
    delete: existing.filter(({ addressType }) => !types.includes(addressType)),
    hasUnknownNodes: false,
  };
  for (const type of types) {
    const slices = existing.filter(({ addressType }) => addressType === type);
    const next = await changesOfType(service, pods, slices, nodeOf, type);
    changes.create.push(...next.create);
    changes.update.push(...next.update);
    changes.delete.push(...next.delete);
    changes.hasUnknownNodes ||= next.hasUnknownNodes;
  }
  return changes;
}

async function changesOfType(
  service: Service,
  pods: readonly Pod[],
  existing: readonly EndpointSlice[],
  nodeOf: (name: string) => Node | undefined,
  type: string,
): Promise<SliceChanges> {
  const isOwned = ({ metadata }: EndpointSlice): boolean =>
    metadata.ownerReferences?.some(({ uid }) => uid === service.metadata.uid) ?? false;
  const desired = new Map<string, { ports: EndpointPort[]; endpoints: Map<string, Endpoint> }>();
  let hasUnknownNodes = false;
  const pace = new Pace();
  for (const pod of pods) {
    if (pace.isDue) await pace.rest();
    if (!isEndpoint(pod, true)) continue;
    const ports = portsOf(service, pod);
    const key = keyOfPorts(ports);
    const group = desired.get(key) ?? { ports: sortedSlicePorts(ports), endpoints: new Map() };
    desired.set(key, group);
    const node = nodeOf(pod.spec.nodeName ?? '');
    if (!node && !service.spec.publishNotReadyAddresses) {
      hasUnknownNodes = true;
      continue;
    }
    const endpoint = endpointOf(service, pod, node, type);
    if (endpoint.addresses.length > 0) group.endpoints.set(keyOfEndpoint(endpoint), endpoint);
  }
  const owned = Map.groupBy(existing.filter(isOwned), ({ ports }) => keyOfPorts(ports));
  const changes: SliceChanges = {
    create: [],
    update: [],
    delete: existing.filter((slice) => !isOwned(slice) || !desired.has(keyOfPorts(slice.ports))),
    hasUnknownNodes,
  };
  for (const [key, { ports, endpoints }] of desired) {
    fill(service, owned.get(key) ?? [], endpoints, () => newSlice(service, type, ports), changes);
  }
  if (existing.length === changes.delete.length && changes.create.length === 0) {
    keepPlaceholder(newSlice(service, type, []), changes);
  }
  return reused(changes, isOwned);
}

/** A Service without endpoints has one empty slice. */
function keepPlaceholder(placeholder: NewSlice, changes: SliceChanges): void {
  const [only] = changes.delete;
  const isThere =
    changes.delete.length === 1 &&
    (only!.endpoints ?? []).length === 0 &&
    (only!.ports ?? []).length === 0 &&
    isDeepStrictEqual(only!.metadata.labels, placeholder.metadata.labels) &&
    isDeepStrictEqual(only!.metadata.ownerReferences, placeholder.metadata.ownerReferences);
  if (isThere) changes.delete = [];
  else changes.create.push(placeholder);
}

/** Reuses slices that would be deleted for those that would be created. */
function reused(changes: SliceChanges, isOwned: (slice: EndpointSlice) => boolean): SliceChanges {
  const kept: EndpointSlice[] = [];
  for (const slice of changes.delete) {
    const next = isOwned(slice) ? changes.create.pop() : undefined;
    if (!next) kept.push(slice);
    else {
      const metadata = { ...slice.metadata, labels: next.metadata.labels! };
      changes.update.push({ ...slice, endpoints: next.endpoints, ports: next.ports, metadata });
    }
  }
  return { ...changes, delete: kept };
}

/** Keeps endpoints in their slices; then fills slices that change anyway, then others with free capacity, then new ones. */
function fill(
  service: Service,
  slices: readonly EndpointSlice[],
  endpoints: Map<string, Endpoint>,
  create: () => NewSlice,
  changes: SliceChanges,
): void {
  const labels = sliceLabels(service);
  const updated: EndpointSlice[] = [];
  const unchanged: EndpointSlice[] = [];
  for (const slice of slices) {
    const present = slice.endpoints ?? [];
    const kept = present.flatMap((endpoint) => endpoints.get(keyOfEndpoint(endpoint)) ?? []);
    for (const endpoint of kept) endpoints.delete(keyOfEndpoint(endpoint));
    const isSame = isDeepStrictEqual(kept, present) && isDeepStrictEqual(labels, slice.metadata.labels);
    if (isSame) unchanged.push(slice);
    else if (kept.length === 0) changes.delete.push(slice);
    else updated.push({ ...slice, endpoints: kept, metadata: { ...slice.metadata, labels } });
  }
  const left = [...endpoints.values()];
  const take = (into: EndpointSlice | NewSlice): void => {
    into.endpoints = [...(into.endpoints ?? []), ...left.splice(0, mostEndpoints - (into.endpoints?.length ?? 0))];
  };
  updated.sort((one, other) => other.endpoints!.length - one.endpoints!.length);
  for (const slice of updated) if (left.length > 0) take(slice);
  while (left.length > 0) {
    const fitting = unchanged
      .filter((slice) => (slice.endpoints ?? []).length + left.length <= mostEndpoints)
      .sort((one, other) => (other.endpoints ?? []).length - (one.endpoints ?? []).length)[0];
    if (fitting) {
      unchanged.splice(unchanged.indexOf(fitting), 1);
      const next = { ...fitting };
      take(next);
      updated.push(next);
    } else {
      const next = create();
      take(next);
      changes.create.push(next);
    }
  }
  changes.update.push(...updated);
}
