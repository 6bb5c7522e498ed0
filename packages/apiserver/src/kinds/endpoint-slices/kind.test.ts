import { describe, expect, it } from 'vitest';
import { createFaults, decoded, updateFaults } from '../../testing/kind-rules.ts';
import { openServer } from '../../testing/open-server.ts';
import { endpointSlices } from './kind.ts';

const slice = (addressType: string, ...addresses: string[]) => ({ addressType, endpoints: [{ addresses }] });

describe('NETWORK-4: an EndpointSlice', () => {
  it('has ports of TCP by default', () => {
    expect(decoded(endpointSlices, { addressType: 'IPv4', ports: [{ port: 80 }] })).toMatchObject({
      ports: [{ name: '', protocol: 'TCP' }],
    });
  });

  it.each([
    [{}, 'addressType: Required value'],
    [slice('IPv4'), 'endpoints[0].addresses: Required value: must contain at least 1 address'],
    [slice('IPv4', '::1:2'), 'endpoints[0].addresses: Invalid value: "::1:2": must be an IPv4 address'],
    [
      slice('IPv4', '127.0.0.1'),
      'endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
    [
      slice('IPv6', '2001:DB8::1'),
      'endpoints[0].addresses[0]: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")',
    ],
    [
      slice('FQDN', 'a'),
      'endpoints[0].addresses[0]: Invalid value: "a": should be a domain with at least two segments separated by dots',
    ],
    [{ addressType: 'IPv4', ports: [{ port: 1 }, { port: 2 }] }, 'ports[1].name: Duplicate value: ""'],
  ])('%o is refused', async (given, fault) => {
    expect(await createFaults(endpointSlices, given)).toEqual([fault]);
  });

  it('keeps its type of addresses', async () => {
    expect(await updateFaults(endpointSlices, slice('IPv4', '10.0.0.1'), slice('FQDN', 'a.b'))).toEqual([
      'addressType: Invalid value: "FQDN": field is immutable',
    ]);
  });

  it('a change of its labels increments the generation', async () => {
    const { ask } = await openServer();
    const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
    await ask('POST', path, { metadata: { name: 'a' }, ...slice('IPv4', '10.0.0.1') });
    const body = { metadata: { name: 'a', labels: { x: 'y' } }, ...slice('IPv4', '10.0.0.1') };
    expect((await ask('PUT', `${path}/a`, body)).body.metadata).toMatchObject({ generation: 2 });
  });
});
