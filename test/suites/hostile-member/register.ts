/** Makes a fake member one of a fleet. */

import type { Product } from '@fleet/bed/product.ts';
import type { FakeMember } from './fake-member.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export async function register(to: Product, { name, url }: FakeMember, ca: string): Promise<void> {
  const create = (path: string, body: object) =>
    to.api.object(`/clusterspaces/karmada${path}`, { method: 'POST', body });
  const secrets = '/api/v1/namespaces/karmada-cluster/secrets';
  for (const secret of [name, `${name}-impersonator`]) {
    const data = { token: base64('t'), caBundle: base64(ca) };
    await create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: secret }, data });
  }
  const ref = (secret: string) => ({ namespace: 'karmada-cluster', name: secret });
  await create('/apis/cluster.karmada.io/v1alpha1/clusters', {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name },
    spec: {
      syncMode: 'Push',
      apiEndpoint: url,
      secretRef: ref(name),
      impersonatorSecretRef: ref(`${name}-impersonator`),
    },
  });
}
