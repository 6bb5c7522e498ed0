/** The Service kind, and the addresses and ports of its pods. */

import { hasLabels } from '@fleet/apiserver/selectors/selector-object.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Container, Pod } from '../../pods/pod.ts';
import { isTerminal } from '../../pods/pod-conditions.ts';

export interface ServicePort {
  name?: string;
  port: number;
  targetPort?: number | string;
  protocol?: string;
  appProtocol?: string;
}

export interface Service extends KubeObject {
  spec: {
    type?: string;
    selector?: Record<string, string>;
    ports?: ServicePort[];
    clusterIP?: string;
    ipFamilies?: string[];
    publishNotReadyAddresses?: boolean;
  };
}

export const services = { apiVersion: 'v1', kind: 'Service', root: 'api/v1', resource: 'services' };

export const headlessLabel = 'service.kubernetes.io/headless';
export const triggerAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Undefined if the Service's owner maintains its endpoints. */
export const selectorOf = ({ spec }: Service): Record<string, string> | undefined =>
  spec.type === 'ExternalName' ? undefined : spec.selector;

export function selectsPod(service: Service, { metadata }: Pod): boolean {
  const selector = selectorOf(service);
  if (!selector || metadata.namespace !== service.metadata.namespace) return false;
  return hasLabels(metadata.labels ?? {}, selector);
}

export const isHeadless = ({ spec }: Service): boolean => !spec.clusterIP || spec.clusterIP === 'None';

export const hasAddress = ({ status }: Pod): boolean => Boolean(status?.podIP) || (status?.podIPs?.length ?? 0) > 0;

export const isEndpoint = (pod: Pod, includesTerminating: boolean): boolean =>
  !isTerminal(pod) && hasAddress(pod) && (includesTerminating || !pod.metadata.deletionTimestamp);

export const hostnameOf = ({ spec }: Pod, { metadata }: Service): { hostname?: string } =>
  spec.hostname && spec.subdomain === metadata.name ? { hostname: spec.hostname } : {};

/** By protocol and name. A Service may have as many ports as a pod, and many pods. */
const portsByName = new WeakMap<Pod['spec'], ReadonlyMap<string, number>>();

function namedPorts(spec: Pod['spec']): ReadonlyMap<string, number> {
  const known = portsByName.get(spec);
  if (known) return known;
  const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';
  const ports = new Map<string, number>();
  for (const container of [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)]) {
    for (const { name, protocol = 'TCP', containerPort } of container.ports ?? []) {
      // Of several ports with the same name the first counts.
      if (name && !ports.has(`${protocol}/${name}`)) ports.set(`${protocol}/${name}`, containerPort);
    }
  }
  portsByName.set(spec, ports);
  return ports;
}

/** The number of a Service's port in the pod; undefined if the pod has no port of that name. */
export const portIn = (
  { spec }: Pod,
  { port, targetPort = port, protocol = 'TCP' }: ServicePort,
): number | undefined =>
  typeof targetPort === 'number' ? targetPort : namedPorts(spec).get(`${protocol}/${targetPort}`);
