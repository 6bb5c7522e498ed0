import { describe, expect, it } from 'vitest';
import { createFaults, decoded, updateFaults } from '../../testing/kind-rules.ts';
import { networkPolicies } from './kind.ts';

const ports = (port: object) => ({ ingress: [{ ports: [port] }] });
const from = (peer: object) => ({ ingress: [{ from: [peer] }] });

describe('NETWORK-3: a NetworkPolicy', () => {
  it('has the policy types of its rules', () => {
    expect(decoded(networkPolicies, { spec: ports({ port: 80 }) })['spec']).toMatchObject({
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ protocol: 'TCP' }] }],
    });
    expect(decoded(networkPolicies, { spec: { egress: [{}] } })['spec']).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it.each([
    [ports({ port: 0 }), 'spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive'],
    [
      ports({ port: 90, endPort: 80 }),
      'spec.ingress[0].ports[0].endPort: Invalid value: 90: must be greater than or equal to `port`',
    ],
    [
      ports({ port: 'http', endPort: 80 }),
      'spec.ingress[0].ports[0].endPort: Invalid value: 80: may not be specified when `port` is non-numeric',
    ],
    [
      ports({ protocol: 'ICMP' }),
      'spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
    ],
    [from({}), 'spec.ingress[0].from[0]: Required value: must specify a peer'],
    [
      from({ ipBlock: { cidr: '10.0.0.1' } }),
      'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
    [
      from({ ipBlock: { cidr: '10.0.0.1/8' } }),
      'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
    ],
    [
      from({ ipBlock: { cidr: '10.0.0.0/16', except: ['11.0.0.0/24'] } }),
      'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/24": must be a strict subset of `cidr`',
    ],
    [
      from({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/16' } }),
      'spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer',
    ],
    [{ policyTypes: ['Odd'] }, 'spec.policyTypes[0]: Unsupported value: "Odd": supported values: "Ingress", "Egress"'],
  ])('%o is refused', async (spec, fault) => {
    expect(await createFaults(networkPolicies, { spec })).toEqual([fault]);
  });

  it('keeps ranges that were accepted before', async () => {
    const spec = from({ ipBlock: { cidr: '10.0.0.1/8' } });
    expect(await updateFaults(networkPolicies, { spec }, { spec })).toEqual([]);
  });
});
