import { expect, test } from 'vitest';
import type { Pod } from '../pods/pod.ts';
import { openCluster } from '../testing/open-cluster.ts';
import { missingOf } from './references.ts';

const podWith = (name: string): Pod => ({
  metadata: { name: 'web', namespace: 'default' },
  spec: { containers: [{ name: 'a' }], volumes: [{ name: 'data', configMap: { name } }] },
});

test('a reference is to an object of that very name, whatever stands in it', async () => {
  const { client } = await openCluster();
  const metadata = { name: 'settings' };
  await client.create('/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await client.create('/api/v1/namespaces/default/secrets', { apiVersion: 'v1', kind: 'Secret', metadata });
  const { signal } = new AbortController();
  expect(await missingOf(podWith('settings'), client, signal)).toBeUndefined();
  for (const name of ['settings?pretty=true', 'settings/', '../secrets/settings', 'settings%', '..', '\ud800']) {
    const missing = await missingOf(podWith(name), client, signal);
    expect(missing?.volumes.get('data')).toBe(`configmap "${name}" not found`);
  }
});
