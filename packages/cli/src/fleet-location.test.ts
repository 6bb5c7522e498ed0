import { expect, test } from 'vitest';
import { locateFleet, rootOf } from './fleet-location.ts';

const everything = { exists: () => true };
const env = { FLEET_KUBECONFIG: 'fleet-env', KUBECONFIG: 'kube-env' };

test('the flag wins, then FLEET_KUBECONFIG, then KUBECONFIG, then the data folder', () => {
  expect(locateFleet('flag', { env, ...everything })).toEqual({ path: 'flag', by: '--fleet-kubeconfig' });
  expect(locateFleet(undefined, { env, ...everything })).toEqual({ path: 'fleet-env', by: 'FLEET_KUBECONFIG' });
  expect(locateFleet(undefined, { env: { KUBECONFIG: 'kube-env' }, ...everything }).by).toBe('KUBECONFIG');
  expect(locateFleet(undefined, { env: {}, ...everything }).path).toBe('fleet-data/admin.kubeconfig');
});

test('one that is set but missing is an error, not a reason to try the next location', () => {
  const exists = (path: string) => path !== 'fleet-env';
  expect(() => locateFleet(undefined, { env, exists })).toThrow('FLEET_KUBECONFIG names fleet-env');
});

test('KUBECONFIG may be a list of files', () => {
  const exists = (path: string) => path === 'second';
  expect(locateFleet(undefined, { env: { KUBECONFIG: 'first:second' }, exists }).path).toBe('second');
});

test('without any, the error names them all', () => {
  const nothing = () => locateFleet(undefined, { env: {}, exists: () => false });
  expect(nothing).toThrow(
    expect.objectContaining({
      hint: expect.stringMatching(/--fleet-kubeconfig, FLEET_KUBECONFIG or KUBECONFIG.*fleet-data\/admin\.kubeconfig/),
    }),
  );
});

test('the kubeconfig of one cluster leads to the fleet too', () => {
  expect(rootOf('https://host:8443/clusterspaces/member1')).toBe('https://host:8443');
  expect(rootOf('https://host/apis/cluster.karmada.io/v1alpha1/clusters/member1/proxy/')).toBe('https://host');
  expect(rootOf('https://host/clusters/member1')).toBe('https://host');
  expect(rootOf('https://host/prefix/')).toBe('https://host/prefix');
});
