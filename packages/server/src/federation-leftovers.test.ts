import type { KubeClient } from '@fleet/client/kube-client.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installCrds } from './control-plane/bootstrap.ts';
import { federationLeasePath, refuseLeftovers } from './federation-leftovers.ts';
import { disabledSwitch, switchesPath, switchPath } from './federation-off.ts';
import { type EmbeddedClient, embeddedClient } from './testing/embedded-client.ts';
import { silentLog } from './testing/silent-log.ts';

const manifests = new URL('../../federation/manifests/', import.meta.url);
const policies = '/apis/policy.karmada.io/v1alpha1/clusterpropagationpolicies';

let opened: EmbeddedClient;
let client: KubeClient;
beforeEach(async () => {
  opened = await embeddedClient({ federation: false });
  ({ client } = opened);
  await client.create('/api/v1/namespaces', { metadata: { name: 'karmada-cluster' } });
}, 60_000);
afterEach(() => opened[Symbol.asyncDispose]());

async function lead(): Promise<void> {
  const spec = { holderIdentity: '', leaseDurationSeconds: 1 };
  await client.create(federationLeasePath.replace(/\/[^/]+$/, ''), { metadata: { name: 'fleet-federation' }, spec });
}

async function makePolicy(finalizer: string): Promise<void> {
  await installCrds(client, manifests, silentLog().log);
  await client.create(policies, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterPropagationPolicy',
    metadata: { name: 'p', finalizers: [finalizer] },
    spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }], placement: {} },
  });
}

const finalizer = 'karmada.io/cluster-propagation-policy-controller';

it('FED-38: a server with federation off refuses to start while finalizers of it exist, and names the command', async () => {
  await lead();
  await makePolicy(finalizer);
  await expect(refuseLeftovers(client)).rejects.toThrow(
    /^federation is off, but objects have its finalizers: 1 clusterpropagationpolicies\..* run "fleet federation disable"/,
  );
  await client.patch(`${policies}/p`, 'merge', { metadata: { finalizers: null } });
  await expect(refuseLeftovers(client)).resolves.toBeUndefined();
});

it('FED-38: finalizers of others do not matter, nor do those of a Karmada that runs there itself', async () => {
  await makePolicy(finalizer);
  await expect(refuseLeftovers(client)).resolves.toBeUndefined();
  await lead();
  await client.patch(`${policies}/p`, 'merge', { metadata: { finalizers: ['example.com/other'] } });
  await expect(refuseLeftovers(client)).resolves.toBeUndefined();
});

it('FED-38: where nothing is left the switch stays: other replicas may still run with --federation', async () => {
  await expect(refuseLeftovers(client)).resolves.toBeUndefined();
  await lead();
  await client.create(switchesPath, disabledSwitch('keep'));
  await expect(refuseLeftovers(client)).resolves.toBeUndefined();
  await expect(client.get(switchPath)).resolves.toMatchObject({ data: { state: 'disabled' } });
});
