/** Allocates the missing addresses and ports of a Service (`registry/core/service/storage/alloc.go`). */

import { StatusError } from '@fleet/kube/status.ts';
import { invalidValue } from '../../errors/field-error.ts';
import { invalid } from '../../errors/refusals.ts';
import { FullError, type Pool } from './pools.ts';
import {
  allocatesNodePorts,
  hasNodePorts,
  isHeadless,
  needsClusterIp,
  needsHealthCheck,
  type ServicePort,
  type ServiceSpec,
} from './service-spec.ts';

const kind = { group: '', kind: 'Service' };

export const nodePortsOf = ({ ports = [] }: ServiceSpec): number[] => ports.flatMap(({ nodePort }) => nodePort || []);

/** A Service keeps its addresses while its type needs them. One stored by an earlier version may have none. */
const needsAddress = (spec: ServiceSpec, before: ServiceSpec | undefined): boolean =>
  needsClusterIp(spec) &&
  !isHeadless(spec) &&
  (!before || !needsClusterIp(before) || (before.clusterIPs ?? []).length === 0);

const needsPort = (spec: ServiceSpec, standing: ReadonlySet<number>, { nodePort }: ServicePort): boolean =>
  nodePort ? !standing.has(nodePort) : allocatesNodePorts(spec);

export function needsAnything(spec: ServiceSpec, before: ServiceSpec | undefined): boolean {
  const standing = new Set(before ? nodePortsOf(before) : []);
  return (
    needsAddress(spec, before) ||
    (hasNodePorts(spec) && (spec.ports ?? []).some((port) => needsPort(spec, standing, port))) ||
    (needsHealthCheck(spec) && !(before && needsHealthCheck(before)))
  );
}

export function allocate(name: string, spec: ServiceSpec, before: ServiceSpec | undefined, pool: Pool): void {
  if (needsAddress(spec, before)) allocateAddress(name, spec, pool);
  if (hasNodePorts(spec)) {
    if (before) updatePorts(name, spec, new Set(nodePortsOf(before)), pool);
    else createPorts(name, spec, pool);
  }
  if (needsHealthCheck(spec) && !(before && needsHealthCheck(before))) allocateHealthCheck(spec, pool);
}

/** If nothing is free, throws the error of kube-apiserver. */
function given<Got>(what: string, get: () => Got): Got {
  try {
    return get();
  } catch (error) {
    throw error instanceof FullError ? allocationFailed(`failed to allocate ${what}: ${error.message}`) : error;
  }
}

const allocationFailed = (why: string): StatusError =>
  new StatusError(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });

const freePort = (pool: Pool): number => given('a nodePort', () => pool.port());

function allocateAddress(name: string, spec: ServiceSpec, pool: Pool): void {
  const [requested] = spec.clusterIPs ?? [];
  if (requested) {
    const fault = pool.addressFault(requested);
    if (fault === undefined) return;
    const why = `failed to allocate IP ${requested}: ${fault}`;
    throw invalid(kind, name, [invalidValue('spec.clusterIPs', spec.clusterIPs, why)]);
  }
  const address = given(`a serviceIP for Service "${name}"`, () => pool.address());
  spec.clusterIP = address;
  spec.clusterIPs = [address];
}

function take(name: string, index: number, port: number, pool: Pool): void {
  const fault = pool.portFault(port);
  if (fault !== undefined) throw invalid(kind, name, [invalidValue(`spec.ports[${index}].nodePort`, port, fault)]);
}

/** Ports of the same number, such as for TCP and UDP, share a node port. */
function createPorts(name: string, spec: ServiceSpec, pool: Pool): void {
  const byPort = new Map<number, number>();
  const ports = spec.ports ?? [];
  // If several are requested, the first counts.
  const requestedBy = new Map(ports.toReversed().flatMap(({ port, nodePort }) => (nodePort ? [[port, nodePort]] : [])));
  for (const [index, port] of ports.entries()) {
    if (!port.nodePort && !allocatesNodePorts(spec)) continue;
    const shared = byPort.get(port.port);
    if (shared !== undefined) {
      if (!port.nodePort) port.nodePort = shared;
      else if (port.nodePort !== shared) take(name, index, port.nodePort, pool);
      continue;
    }
    const requested = requestedBy.get(port.port);
    if (requested) take(name, index, requested, pool);
    port.nodePort = requested ?? freePort(pool);
    byPort.set(port.port, port.nodePort);
  }
}

function updatePorts(name: string, spec: ServiceSpec, standing: ReadonlySet<number>, pool: Pool): void {
  const seen = new Set<string>();
  const taken = new Set<number>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort && !allocatesNodePorts(spec)) continue;
    if (port.nodePort && !standing.has(port.nodePort) && !taken.has(port.nodePort)) {
      take(name, index, port.nodePort, pool);
      taken.add(port.nodePort);
    }
    port.nodePort ||= freePort(pool);
    const text = `{${port.protocol} ${port.nodePort}}`;
    if (seen.has(text)) throw new StatusError(500, '', `duplicate nodePort: ${text}`);
    seen.add(text);
  }
}

function allocateHealthCheck(spec: ServiceSpec, pool: Pool): void {
  if (!spec.healthCheckNodePort) {
    spec.healthCheckNodePort = given('a HealthCheck NodePort 0', () => pool.port());
    return;
  }
  const fault = pool.portFault(spec.healthCheckNodePort);
  if (fault === undefined) return;
  throw allocationFailed(`failed to allocate requested HealthCheck NodePort ${spec.healthCheckNodePort}: ${fault}`);
}
