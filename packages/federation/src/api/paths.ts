/** Where the control plane serves the pipeline's own kinds. */

import type { KubeObject } from '@fleet/client/kube-client.ts';

const policy = '/apis/policy.karmada.io/v1alpha1';
const work = '/apis/work.karmada.io';

export const clustersPath = '/apis/cluster.karmada.io/v1alpha1/clusters';
export const propagationPoliciesPath = `${policy}/propagationpolicies`;
export const clusterPropagationPoliciesPath = `${policy}/clusterpropagationpolicies`;
export const overridePoliciesPath = `${policy}/overridepolicies`;
export const clusterOverridePoliciesPath = `${policy}/clusteroverridepolicies`;
export const resourceBindingsPath = `${work}/v1alpha2/resourcebindings`;
export const clusterResourceBindingsPath = `${work}/v1alpha2/clusterresourcebindings`;
export const worksPath = `${work}/v1alpha1/works`;
export const namespacesPath = '/api/v1/namespaces';

/** The path of one object of a collection: `path` is the collection's over all namespaces. */
export function objectPath(path: string, { metadata }: Pick<KubeObject, 'metadata'>): string {
  return `${inNamespace(path, metadata.namespace)}/${encodeURIComponent(metadata.name)}`;
}

export function inNamespace(path: string, namespace: string | undefined): string {
  if (!namespace) return path;
  const slash = path.lastIndexOf('/');
  return `${path.slice(0, slash)}/namespaces/${namespace}${path.slice(slash)}`;
}
