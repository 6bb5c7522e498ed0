/** KubeSphere's form of Clusters, asked for as the administrator. */

import type { KubeConfig } from '@kubernetes/client-node';
import { requestAs } from './request.ts';

export const face = '/apis/cluster.kubesphere.io/v1alpha1/clusters';
export const agents = '/apis/cluster.kubesphere.io/v1alpha1/agents';
export const karmada = '/apis/cluster.karmada.io/v1alpha1/clusters';
export const secrets = '/clusterspaces/karmada/api/v1/namespaces/karmada-cluster/secrets';
export const settled = { timeout: 20_000, interval: 100 };

interface Shown {
  kind: string;
  metadata: Record<string, string> & { annotations?: Record<string, string> };
  spec: Record<string, unknown> & { connection: Record<string, unknown>; apiEndpoint?: string };
  status: { conditions: { type: string; status: string; reason: string }[] };
  items: Shown[];
}

export const named = (name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'cluster.kubesphere.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, ...metadata },
  spec,
});

export function facing(admin: KubeConfig) {
  const get = (path: string, headers = {}) => requestAs(admin, path, headers);
  const json = async (path: string) => (await get(path)).body as Shown;
  return {
    get,
    json,
    create: (object: object, query = '', user = admin) => requestAs(user, `${face}${query}`, {}, false, object),
    put: (name: string, object: object) => requestAs(admin, `${face}/${name}`, {}, false, object, 'PUT'),
    patch: (path: string, body: object, type = 'merge-patch+json') =>
      requestAs(admin, path, { 'content-type': `application/${type}` }, false, body, 'PATCH'),
    remove: (path: string) => requestAs(admin, path, {}, false, undefined, 'DELETE'),
    /** As type, status and reason. */
    conditions: async (name: string) =>
      (await json(`${face}/${name}`)).status.conditions.map(({ type, status, reason }) => [type, status, reason]),
  };
}
