import { StatusError } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import { allocate } from './allocate.ts';
import { FullError, type Pool } from './pools.ts';

const full = (): never => {
  throw new FullError('range is full');
};
const addressLeft: Pool = {
  address: () => '10.96.0.9',
  addressFault: () => undefined,
  port: full,
  portFault: () => undefined,
};

function failureOf(make: () => void): Pick<StatusError, 'code' | 'reason' | 'message'> & { causes: unknown } {
  try {
    make();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const { code, reason, message, details } = error;
    return { code, reason, message, causes: details?.causes };
  }
  throw new Error('allocated');
}

describe('where nothing is free, the answer has the reason', () => {
  it.each([
    ['a serviceIP for Service "shop"', { type: 'ClusterIP' }, { ...addressLeft, address: full }],
    ['a nodePort', { type: 'NodePort' }, addressLeft],
    [
      'a HealthCheck NodePort 0',
      { type: 'LoadBalancer', externalTrafficPolicy: 'Local', allocateLoadBalancerNodePorts: false },
      addressLeft,
    ],
  ])('%s', (what, spec, pool) => {
    const why = `failed to allocate ${what}: range is full`;
    expect(
      failureOf(() => allocate('shop', { ...spec, ports: [{ port: 80, protocol: 'TCP' }] }, undefined, pool)),
    ).toEqual({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${why}`,
      causes: [{ message: why }],
    });
  });
});
