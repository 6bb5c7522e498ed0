/** ResourceRegistries as the control plane serves them: which kinds of which members are registered (CACHE-1). */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { ClusterAffinity } from './cluster-affinity.ts';

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

/** CACHE-2. Of many clusters the rows are those that are not well, up to a limit. */
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
  /** Of all clusters together: each counts once. */
  resources: number;
  /** Resources of clusters. */
  synced: number;
  total: number;
  /** `synced` and `total` as people read them: a column of a table has one field. */
  progress: string;
  /** Resources that a cluster does not serve: not among `total`. */
  notServed: number;
  objects: number;
  bytes: number;
}

/** One resource of one cluster. */
export interface ResourceStatus {
  cluster: string;
  apiVersion: string;
  /** Not known where the cluster does not serve it. */
  resource?: string;
  kind: string;
  /** Left out: all of them, or a resource without. */
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
  /** As in `apps/v1`. */
  apiVersion: string;
  /** `*` is every kind of the group and version that can be listed. */
  kind: string;
  /** Empty: all of them. */
  namespace?: string;
}

/** Who decides what a user may read (IMP-8). */
export type Authorization = 'Member' | 'ControlPlane';

/** Karmada's own server drops fields that it does not know: there they are annotations. */
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

/** Those that are asked for and that the product does not have. */
export const foreignStores = ({ spec }: Pick<ResourceRegistry, 'spec'>): string[] =>
  Object.keys(spec?.backendStore ?? {}).filter((store) => !ownStores.has(store));
