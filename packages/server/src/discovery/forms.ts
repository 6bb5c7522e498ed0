/** The two forms of discovery: the aggregated one, and the older one with a document per path. */

import type { GroupDiscovery, GroupDiscoveryList, ResourceDiscovery, VersionDiscovery } from '@fleet/kube/discovery.ts';
import { parseAccept } from '@fleet/kube/negotiate.ts';

/** `undefined`: the client requests the older form. */
export function aggregatedVersion(accept: string | undefined): 'v2' | 'v2beta1' | undefined {
  for (const { type, as, group, version } of parseAccept(accept)) {
    if (type !== 'application/json') continue;
    if (as === undefined) return undefined;
    const known = group === 'apidiscovery.k8s.io' && as === 'APIGroupDiscoveryList';
    if (known && (version === 'v2' || version === 'v2beta1')) return version;
  }
  return undefined;
}

export const aggregated = (list: GroupDiscoveryList, version: 'v2' | 'v2beta1') => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: `apidiscovery.k8s.io/${version}`,
  metadata: {},
  items: list.items,
});

const groupVersion = (group: string, version: string): string => (group ? `${group}/${version}` : version);

const legacyGroup = ({ metadata, versions = [] }: GroupDiscovery) => {
  const known = versions.map(({ version }) => ({ groupVersion: groupVersion(metadata.name ?? '', version), version }));
  return { name: metadata.name ?? '', versions: known, preferredVersion: known[0] };
};

export const apiVersions = (core: GroupDiscoveryList) => ({
  kind: 'APIVersions',
  versions: (core.items[0]?.versions ?? []).map(({ version }) => version),
  serverAddressByClientCIDRs: [],
});

export const apiGroupList = (list: GroupDiscoveryList) => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: list.items.map(legacyGroup),
});

export const apiGroup = (group: GroupDiscovery) => ({ kind: 'APIGroup', apiVersion: 'v1', ...legacyGroup(group) });

export const apiResourceList = (group: string, { version, resources = [] }: VersionDiscovery) => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: groupVersion(group, version),
  resources: resources.flatMap((resource) => legacyResources(group, version, resource)),
});

function legacyResources(group: string, version: string, resource: ResourceDiscovery) {
  const namespaced = resource.scope === 'Namespaced';
  /** Group and version are written only if they are not the list's own, as kube-apiserver does. */
  const kindOf = ({
    group: other = '',
    version: itsVersion = '',
    kind = '',
  }: ResourceDiscovery['responseKind'] = {}) => {
    const same = itsVersion === '' || (other === group && itsVersion === version);
    return same ? { kind } : { group: other, version: itsVersion, kind };
  };
  const own = {
    name: resource.resource,
    singularName: resource.singularResource,
    namespaced,
    ...kindOf(resource.responseKind),
    verbs: resource.verbs,
    ...(resource.shortNames ? { shortNames: resource.shortNames } : {}),
    ...(resource.categories ? { categories: resource.categories } : {}),
  };
  const subresources = (resource.subresources ?? []).map((sub) => ({
    name: `${resource.resource}/${sub.subresource}`,
    singularName: '',
    namespaced,
    ...kindOf(sub.responseKind),
    verbs: sub.verbs,
  }));
  return [own, ...subresources];
}
