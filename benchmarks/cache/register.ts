/** Makes members known to a control plane, and pods to the cache. */

import type { Api } from '@fleet/bed/api.ts';

export interface RegisteredMember {
  name: string;
  url: string;
  /** `t` if left out: generated members accept any. */
  token?: string;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const namespace = 'karmada-cluster';

/** `api`: that of the control plane. */
export async function registerMember(
  api: Api,
  { name, url, token = 't' }: RegisteredMember,
  ca: string,
): Promise<void> {
  const create = (path: string, body: object) => api.object(path, { method: 'POST', body });
  const data = { token: base64(token), caBundle: base64(ca) };
  for (const secret of [name, `${name}-impersonator`]) {
    const metadata = { name: secret, namespace };
    await create(`/api/v1/namespaces/${namespace}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  }
  await create('/apis/cluster.karmada.io/v1alpha1/clusters', {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name },
    spec: {
      syncMode: 'Push',
      apiEndpoint: url,
      secretRef: { namespace, name },
      impersonatorSecretRef: { namespace, name: `${name}-impersonator` },
    },
  });
}

export interface RegisteredKind {
  apiVersion: string;
  kind: string;
}

export async function registerKinds(api: Api, resourceSelectors: readonly RegisteredKind[]): Promise<void> {
  await api.object('/apis/search.karmada.io/v1alpha1/resourceregistries', {
    method: 'POST',
    body: {
      apiVersion: 'search.karmada.io/v1alpha1',
      kind: 'ResourceRegistry',
      metadata: { name: 'bench' },
      spec: { targetCluster: {}, resourceSelectors },
    },
  });
}
