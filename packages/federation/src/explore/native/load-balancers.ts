/** Services and Ingresses: the addresses at which they are reached from outside of the clusters. */

import type { AggregatedStatusItem } from '../../api/bindings.ts';
import type { AnyObject, JsonObject } from '../../api/objects.ts';
import type { ObjectRules } from '../object-rules.ts';
import { type Fields, fieldAt, numberAt, recordAt, recordsAt, textAt, withField, withoutFields } from './fields.ts';
import { dependencies } from './pod-dependencies.ts';
import { reportedStatuses, statusOf, withStatus } from './status.ts';

export const serviceRules: ObjectRules = {
  pack(manifest) {
    const address = fieldAt(manifest, 'spec', 'clusterIP');
    if (address === undefined || address === 'None') return manifest;
    return withoutFields(manifest, ['spec', 'clusterIP'], ['spec', 'clusterIPs']);
  },
  retain(desired, observed) {
    const [port, address] = [numberAt(observed, 'spec', 'healthCheckNodePort'), textAt(observed, 'spec', 'clusterIP')];
    const retained = port ? withField(desired, ['spec', 'healthCheckNodePort'], port) : desired;
    return address ? withField(retained, ['spec', 'clusterIP'], address) : retained;
  },
  reflect(observed) {
    const status = isLoadBalancer(observed) ? statusOf(observed) : undefined;
    return status && { loadBalancer: recordAt(status, 'loadBalancer') as JsonObject };
  },
  aggregate: (template, items) => (isLoadBalancer(template) ? withAddresses(template, items) : template),
  health: (observed) => (!isLoadBalancer(observed) || hasAddress(observed) ? 'Healthy' : 'Unhealthy'),
};

export const ingressRules: ObjectRules = {
  aggregate: withAddresses,
  health: (observed) => (hasAddress(observed) ? 'Healthy' : 'Unhealthy'),
  dependencies: (template) =>
    dependencies(
      'Secret',
      template.metadata.namespace,
      recordsAt(template, 'spec', 'tls').map((tls) => textAt(tls, 'secretName')),
    ),
};

const isLoadBalancer = (service: AnyObject): boolean => fieldAt(service, 'spec', 'type') === 'LoadBalancer';

const addressesOf = (status: unknown): Fields[] => recordsAt(status, 'loadBalancer', 'ingress');

const hasAddress = (observed: AnyObject): boolean =>
  addressesOf(observed['status']).some((address) => textAt(address, 'hostname') || textAt(address, 'ip'));

function withAddresses(template: AnyObject, items: readonly AggregatedStatusItem[]): AnyObject {
  const ingress = combined(reportedStatuses(items).flatMap(addressesOf));
  return withStatus(template, { loadBalancer: ingress.length > 0 ? { ingress } : {} });
}

/** Each address once, with the ports that any cluster reports for it. */
function combined(addresses: readonly Fields[]): Fields[] {
  const byAddress = new Map<string, { address: Fields; ports: Map<string, Fields> }>();
  for (const address of addresses) {
    const key = JSON.stringify(['hostname', 'ip', 'ipMode'].map((field) => textAt(address, field)));
    const known = byAddress.get(key) ?? { address, ports: new Map<string, Fields>() };
    byAddress.set(key, known);
    for (const port of recordsAt(address, 'ports')) {
      known.ports.set(JSON.stringify([port['port'], port['protocol'], textAt(port, 'error')]), port);
    }
  }
  return [...byAddress.values()]
    .map(({ address, ports }) => withField(address, ['ports'], portsOf(ports)))
    .sort((a, b) => compareHosts(a, b) || compareTexts(a, b, 'ip') || compareModes(a, b));
}

const portsOf = (ports: ReadonlyMap<string, Fields>): Fields[] | undefined =>
  ports.size === 0
    ? undefined
    : [...ports.values()].sort(
        (a, b) =>
          (numberAt(a, 'port') ?? 0) - (numberAt(b, 'port') ?? 0) ||
          compareTexts(a, b, 'protocol') ||
          compareTexts(a, b, 'error'),
      );

/** Names before numbers. */
const compareHosts = (a: Fields, b: Fields): number =>
  emptiness(a, 'hostname') - emptiness(b, 'hostname') || compareTexts(a, b, 'hostname');

const compareModes = (a: Fields, b: Fields): number =>
  emptiness(a, 'ipMode') - emptiness(b, 'ipMode') || compareTexts(a, b, 'ipMode');

const emptiness = (fields: Fields, name: string): number => (textAt(fields, name) === '' ? 1 : 0);

function compareTexts(a: Fields, b: Fields, name: string): number {
  const [left, right] = [textAt(a, name), textAt(b, name)];
  return left < right ? -1 : left > right ? 1 : 0;
}
