/** What discovery says of one resource. */

import type { GroupDiscoveryList, ResourceDiscovery } from '@fleet/kube/discovery.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { Discovery, Served } from './discovery.ts';

type Named = Pick<ResourceRequest, 'group' | 'version' | 'resource'>;

export interface ObjectKind {
  kind: string;
  apiVersion: string;
}

/** What its objects are; a resource that nobody knows has none, and nobody watches it for long. */
export async function kindOf(discovery: Pick<Discovery, 'union'>, named: Named): Promise<ObjectKind> {
  const { kind = '' } = find(await discovery.union(), named)?.responseKind ?? {};
  return { kind, apiVersion: named.group === '' ? named.version : `${named.group}/${named.version}` };
}

export async function serves(discovery: Pick<Discovery, 'apisOf'>, place: string, named: Named): Promise<boolean> {
  const apis = await discovery.apisOf(place);
  return apis.is === 'known' && find(apis, named) !== undefined;
}

function find({ core, groups }: Served, named: Named): ResourceDiscovery | undefined {
  return findIn(named.group === '' ? core : groups, named);
}

function findIn({ items }: GroupDiscoveryList, { group, version, resource }: Named): ResourceDiscovery | undefined {
  const known = items.find(({ metadata }) => (metadata.name ?? '') === group);
  const versioned = known?.versions?.find((one) => one.version === version);
  return versioned?.resources?.find((one) => one.resource === resource);
}
