/** Bugs that the suites of the aggregation endpoint would notice. Needs no clusters. */

import { CoreV1Api } from '@kubernetes/client-node';
import { describe, expect, it, vi } from 'vitest';
import type { FleetOptions } from './src/fleet.ts';
import { core, endpoint, register, startRegistered } from './src/registering.ts';
import { requestAs } from './src/request.ts';

const settled = { timeout: 30_000, interval: 100 };

describe('bugs that the suite would notice', () => {
  const scene = (mutant: FleetOptions['mutant'] & object) => startRegistered({ mutant });
  const maps = '/api/v1/namespaces/shop/configmaps';

  it('AUTHZ-2: a product that lets anybody into the endpoint', async () => {
    await using broken = await scene({
      file: 'server/src/authz/authorize.ts',
      from: 'if (permission.name === undefined) return;',
      to: 'if (permission !== undefined) return;',
    });
    const bob = await broken.config({ name: 'bob' });
    // Discovery is everybody's, once the endpoint is.
    await vi.waitFor(async () => expect((await requestAs(bob, `${endpoint}/api`)).status).toBe(200), settled);
  });

  it('CACHE-9: a product that writes its annotation into members', async () => {
    await using broken = await scene({
      file: 'server/src/target/body-places.ts',
      from: "  'resource.karmada.io/cached-from-cluster',\n];",
      to: '];',
    });
    const config = await broken.config(undefined, endpoint);
    const api = config.makeApiClient(CoreV1Api);
    const at = { namespace: 'shop', name: 'only-member1' };
    const read = await vi.waitFor(() => api.readNamespacedConfigMap(at), settled);
    await api.replaceNamespacedConfigMap({ ...at, body: read });
    expect(await broken.members.get('member1')!.client.get(`${maps}/only-member1`)).toMatchObject({
      metadata: { annotations: { 'resource.karmada.io/cached-from-cluster': 'member1' } },
    });
  });

  it('CACHE-7: a product that shows what is not registered', async () => {
    await using broken = await scene({
      file: 'server/src/authz/authorize.ts',
      from: 'return clusters.filter((cluster) => where.has(cluster) || !known.has(cluster));',
      to: 'return clusters.filter((cluster) => where.has(cluster) || known.size > 0);',
    });
    await register(broken.controlPlane, 'core', {
      resourceSelectors: core('ConfigMap'),
      targetCluster: { clusterNames: ['member1'] },
    });
    const config = await broken.config();
    const seen = async () => (await requestAs(config, `${endpoint}${maps}/only-member2`)).status;
    await vi.waitFor(async () => expect(await seen()).toBe(200), settled);
  });
});
