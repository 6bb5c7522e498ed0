/** Aggregated discovery (`apidiscovery.k8s.io/v2`): what a server serves, in one document. */

export interface ResourceDiscovery {
  resource: string;
  responseKind?: { group?: string; version?: string; kind?: string };
  scope: 'Namespaced' | 'Cluster';
  singularResource: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  subresources?: SubresourceDiscovery[];
}

export interface SubresourceDiscovery {
  subresource: string;
  responseKind?: { group?: string; version?: string; kind?: string };
  acceptedTypes?: unknown[];
  verbs: string[];
}

export interface VersionDiscovery {
  version: string;
  resources?: ResourceDiscovery[];
  freshness?: string;
}

export interface GroupDiscovery {
  metadata: { name?: string };
  versions?: VersionDiscovery[];
}

/** Preferred versions come first. */
export interface GroupDiscoveryList {
  items: GroupDiscovery[];
}

export const aggregatedDiscoveryAccept =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
