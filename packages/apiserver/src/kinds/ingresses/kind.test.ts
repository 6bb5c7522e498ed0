import { describe, expect, it } from 'vitest';
import { createFaults, updateFaults } from '../../testing/kind-rules.ts';
import { ingresses } from './kind.ts';

const backend = { service: { name: 's', port: { number: 80 } } };
const withPath = (path: object) => ({
  rules: [{ host: 'a.b', http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...path }] } }],
});

describe('NETWORK-1: an Ingress', () => {
  it.each([
    [{}, 'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
    [withPath({ pathType: null }), 'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified'],
    [
      withPath({ pathType: 'Odd' }),
      'spec.rules[0].http.paths[0].pathType: Unsupported value: "Odd": supported values: "Exact", "ImplementationSpecific", "Prefix"',
    ],
    [withPath({ path: 'x' }), 'spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path'],
    [
      withPath({ path: '/a/../b' }),
      `spec.rules[0].http.paths[0].path: Invalid value: "/a/../b": must not contain '/../'`,
    ],
    [
      withPath({ backend: {} }),
      'spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required',
    ],
    [
      withPath({ backend: { service: { name: 's' } } }),
      'spec.rules[0].http.paths[0].backend: Required value: port name or number is required',
    ],
    [
      { defaultBackend: { service: { name: 's', port: { number: 70_000 } } } },
      'spec.defaultBackend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
    [
      { rules: [{ host: '1.2.3.4' }] },
      'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ],
    [
      { defaultBackend: backend, tls: [{ secretName: 'Odd' }] },
      expect.stringMatching(/^spec.tls\[0\].secretName: Invalid value: "Odd": a lowercase RFC 1123 subdomain/),
    ],
  ])('%o is refused', async (spec, fault) => {
    expect(await createFaults(ingresses, { spec })).toEqual([fault]);
  });

  it('its older way to name a class does not contradict the newer', async () => {
    const metadata = { annotations: { 'kubernetes.io/ingress.class': 'a' } };
    expect(
      await createFaults(ingresses, { metadata, spec: { defaultBackend: backend, ingressClassName: 'b' } }),
    ).toEqual([
      'annotations.kubernetes.io/ingress.class: Invalid value: "a": must match `ingressClassName` when both are specified',
    ]);
  });

  it('its status has addresses, whatever its spec', async () => {
    const status = { loadBalancer: { ingress: [{ ip: '10.0.0.01' }] } };
    expect(await updateFaults(ingresses, {}, { status }, 'status')).toEqual([
      'status.loadBalancer.ingress[0].ip: Invalid value: "10.0.0.01": must not have leading 0s',
    ]);
  });
});
