import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../api/objects.ts';
import { ingressRules, serviceRules } from './load-balancers.ts';
import { objectOf, reports } from './testing.ts';

const service = (spec: object, fields: object = {}) => objectOf('v1', 'Service', { spec, ...fields });
const ingress = (fields: object = {}) => objectOf('networking.k8s.io/v1', 'Ingress', fields);
const balanced = (...addresses: JsonObject[]): JsonObject => ({ loadBalancer: { ingress: addresses } });
const loadBalancer = (fields: object = {}) => service({ type: 'LoadBalancer' }, fields);
const plainTypes = ['ClusterIP', 'NodePort', 'ExternalName'];

test.each([
  [{ clusterIP: '10.10.10.10', clusterIPs: ['10.10.10.10'] }, {}],
  [{ clusterIP: '', clusterIPs: [''] }, {}],
  [
    { clusterIP: 'None', clusterIPs: ['None'] },
    { clusterIP: 'None', clusterIPs: ['None'] },
  ],
])('FED-18: of a Service with %o is left %o', (addresses, left) => {
  expect(serviceRules.pack!(service({ ...addresses, ports: [] }))['spec']).toEqual({ ...left, ports: [] });
});

test.each([
  [
    { healthCheckNodePort: 31000, clusterIP: '1.2.3.4' },
    { healthCheckNodePort: 31000, clusterIP: '1.2.3.4' },
  ],
  [{ healthCheckNodePort: 0, clusterIP: '' }, { clusterIP: 'None' }],
  [{}, { clusterIP: 'None' }],
])('FED-12: a Service retains %o', (observed, expected) => {
  expect(serviceRules.retain!(service({ clusterIP: 'None' }), service(observed))['spec']).toEqual(expected);
});

describe('FED-12: status of a Service in the Work', () => {
  test('of a load balancer, its addresses', () => {
    const status = balanced({ ip: '1.2.3.4' });
    expect(serviceRules.reflect!(loadBalancer({ status: { ...status, conditions: [] } }))).toEqual(status);
    expect(serviceRules.reflect!(loadBalancer({ status: {} }))).toEqual({ loadBalancer: {} });
    expect(serviceRules.reflect!(loadBalancer())).toBeUndefined();
  });

  test.each(plainTypes)('of a %s, nothing', (type) => {
    expect(serviceRules.reflect!(service({ type }, { status: balanced({ ip: '1.2.3.4' }) }))).toBeUndefined();
  });
});

test.each([
  [serviceRules, loadBalancer({ status: balanced({ ip: '1.2.3.4' }) }), 'Healthy'],
  [serviceRules, loadBalancer({ status: balanced({ hostname: 'localhost' }) }), 'Healthy'],
  [serviceRules, loadBalancer({ status: balanced({ ip: '' }) }), 'Unhealthy'],
  [serviceRules, loadBalancer({ status: balanced() }), 'Unhealthy'],
  [serviceRules, service({ type: 'NodePort' }), 'Healthy'],
  [ingressRules, ingress({ status: balanced({ ip: '1.2.3.4' }) }), 'Healthy'],
  [ingressRules, ingress({ status: balanced() }), 'Unhealthy'],
])('FED-12: a LoadBalancer Service and an Ingress are healthy with an address (%#)', (rules, observed, expected) => {
  expect(rules.health!(observed)).toBe(expected);
});

describe('FED-12: the addresses of all clusters', () => {
  test.each(plainTypes)('a %s has none', (type) => {
    const template = service({ type }, { status: { loadBalancer: {} } });
    expect(serviceRules.aggregate!(template, reports(balanced({ ip: '8.8.8.8' })))).toBe(template);
  });

  test.each([
    [serviceRules, loadBalancer(), loadBalancer({ status: balanced({ ip: '8.8.8.8' }) })],
    [ingressRules, ingress(), ingress({ status: balanced({ ip: '8.8.8.8' }) })],
  ])('in the template’s status, and not twice (%#)', (rules, template, expected) => {
    const items = reports(balanced({ ip: '8.8.8.8' }), undefined, balanced({ ip: '8.8.8.8' }));
    expect(rules.aggregate!(template, items)).toEqual(expected);
    expect(rules.aggregate!(expected, items)).toBe(expected);
  });

  const port = (number: number, error?: string) => ({ port: number, protocol: 'TCP', ...(error && { error }) });
  const host = 'hostname-1';

  test.each([
    [
      'by host name',
      [{ hostname: 'hostname-2' }, { hostname: host }],
      [{ hostname: host }, { hostname: 'hostname-2' }],
    ],
    ['by address', [{ ip: '2.2.2.2' }, { ip: '1.1.1.1' }], [{ ip: '1.1.1.1' }, { ip: '2.2.2.2' }]],
    ['names before addresses', [{ ip: '1.1.1.1' }, { hostname: host }], [{ hostname: host }, { ip: '1.1.1.1' }]],
    [
      'by mode',
      [{ ip: '1.1.1.1' }, { ip: '1.1.1.1', ipMode: 'VIP' }, { ip: '1.1.1.1', ipMode: 'Proxy' }],
      [{ ip: '1.1.1.1', ipMode: 'Proxy' }, { ip: '1.1.1.1', ipMode: 'VIP' }, { ip: '1.1.1.1' }],
    ],
    [
      'ports together',
      [80, 81, 80].map((number) => ({ hostname: host, ports: [port(number)] })),
      [{ hostname: host, ports: [port(80), port(81)] }],
    ],
    [
      'ports with errors',
      ['error-1', 'error-1', 'error-2', undefined].map((error) => ({ hostname: host, ports: [port(80, error)] })),
      [{ hostname: host, ports: [port(80), port(80, 'error-1'), port(80, 'error-2')] }],
    ],
  ])('sorted %s', (_case, addresses, expected) => {
    const items = reports(...addresses.map((address) => balanced(address as JsonObject)));
    expect(serviceRules.aggregate!(loadBalancer(), items)['status']).toEqual({ loadBalancer: { ingress: expected } });
  });

  test('the order of the clusters does not matter', () => {
    const address = fc.record(
      {
        ip: fc.constantFrom('1.1.1.1', '2.2.2.2'),
        hostname: fc.constantFrom('a', 'b'),
        ports: fc.array(fc.record({ port: fc.constantFrom(80, 81), protocol: fc.constantFrom('TCP', 'UDP') })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(address), (addresses) => {
        const status = (list: typeof addresses) =>
          ingressRules.aggregate!(ingress(), reports(...list.map((one) => balanced(one as JsonObject))))['status'];
        expect(status([...addresses].reverse())).toEqual(status(addresses));
      }),
    );
  });
});

test('FED-11: an Ingress depends on its TLS Secrets', () => {
  const spec = { tls: [{ secretName: 'b' }, { hosts: ['x'] }, { secretName: 'a' }, { secretName: 'b' }] };
  expect(ingressRules.dependencies!(ingress({ spec }))).toEqual(
    ['a', 'b'].map((name) => ({ apiVersion: 'v1', kind: 'Secret', namespace: 'default', name })),
  );
});
