/** The ResourceRegistry object: its fields, its status, and their meaning (CACHE-1). */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { ClusterAffinity } from '@fleet/kube/selectors/cluster-affinity.ts';

export const registriesPath = '/apis/search.karmada.io/v1alpha1/resourceregistries';

export interface ResourceRegistry extends KubeObject {
  spec?: {
    targetCluster?: ClusterAffinity | null;
    resourceSelectors?: readonly ResourceSelector[] | null;
    backendStore?: object | null;
    authorization?: string;
    prune?: readonly string[] | null;
  };
  status?: RegistryStatus;
}

/** CACHE-2. With many clusters, `resources` has only those that are not synced, up to a limit. */
export interface RegistryStatus {
  conditions?: readonly RegistryCondition[];
  summary?: RegistrySummary;
  resources?: readonly ResourceStatus[];
  /** How many rows are left out of `resources`. */
  omittedResources?: number;
}

export interface RegistryCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

export interface RegistrySummary {
  clusters: number;
  /** Distinct resources over all clusters. */
  resources: number;
  /** Like `total`, counts one per resource and cluster. */
  synced: number;
  total: number;
  /** `synced` and `total` as `5/6`: a printer column can show only one field. */
  progress: string;
  /** Resources that a cluster does not serve; not included in `total`. */
  notServed: number;
  objects: number;
  bytes: number;
}

/** One resource of one cluster. */
export interface ResourceStatus {
  cluster: string;
  apiVersion: string;
  /** Unknown if the cluster does not serve it. */
  resource?: string;
  kind: string;
  /** Left out: all namespaces, or a cluster-scoped resource. */
  namespace?: string;
  synced: boolean;
  /** Why it is not synced. */
  reason?: string;
  objects: number;
  bytes: number;
  lastEventTime?: string;
  lastError?: string;
}

export interface ResourceSelector {
  /** Such as `apps/v1`. */
  apiVersion: string;
  /** `*` selects every listable kind of the group and version. */
  kind: string;
  /** Empty: all namespaces. */
  namespace?: string;
}

const namespacePattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const apiVersionPattern = /^([a-z0-9][-a-z0-9.]{0,252}\/)?[a-z0-9][-a-z0-9]{0,62}$/;

export const isNamespaceName = (text: string): boolean => namespacePattern.test(text);

/**
 * Whether its texts can be segments of a path. Karmada's own API server accepts any; the requests that they are part of are sent with
 * the product's credential.
 */
export const isValidSelector = ({ apiVersion, namespace }: ResourceSelector): boolean =>
  apiVersionPattern.test(apiVersion) && (!namespace || isNamespaceName(namespace));

/** Who decides what a user may read (IMP-8). */
export type Authorization = 'Member' | 'ControlPlane';

/** Karmada's own API server drops unknown fields: there, annotations replace them. */
const annotation = (name: string): string => `search.fleet/${name}`;

export function authorizationOf({ spec, metadata }: ResourceRegistry): Authorization {
  const text = spec?.authorization ?? metadata.annotations?.[annotation('authorization')];
  return text === 'ControlPlane' ? 'ControlPlane' : 'Member';
}

export function prunesManagedFields({ spec, metadata }: ResourceRegistry): boolean {
  const pruned = spec?.prune ?? metadata.annotations?.[annotation('prune')]?.split(',') ?? [];
  return pruned.some((field) => field.trim() === 'managedFields');
}

const ownStores: ReadonlySet<string> = new Set(['postgres']);

/** The requested stores that the product does not support. */
export const foreignStores = ({ spec }: Pick<ResourceRegistry, 'spec'>): string[] =>
  Object.keys(spec?.backendStore ?? {}).filter((store) => !ownStores.has(store));
