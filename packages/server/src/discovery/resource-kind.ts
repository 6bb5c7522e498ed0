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

/**
 * Whether clients take what says that it is of this kind for an object of another resource. They go by group and kind: where
 * they do not know the version they take another one. What no resource is of they cannot act on, such as a `Scale`, so that a
 * list's kind and those of subresources need not be known.
 */
export function isOfAnother({ core, groups }: Served, asked: Named, apiVersion: string, kind: string): boolean {
  const slash = apiVersion.indexOf('/');
  const group = slash === -1 ? '' : apiVersion.slice(0, slash);
  const known = (group === '' ? core : groups).items.find(({ metadata }) => (metadata.name ?? '') === group);
  let isKnown = false;
  for (const { resources } of known?.versions ?? []) {
    for (const { resource, responseKind } of resources ?? []) {
      if (responseKind?.kind !== kind) continue;
      if (group === asked.group && resource === asked.resource) return false;
      isKnown = true;
    }
  }
  return isKnown && !(group === asked.group && guessedResource(kind) === asked.resource);
}

/** As Kubernetes guesses it, right for all kinds of its own: whatever one member claims, those of others stay readable (SEC-3). */
function guessedResource(kind: string): string {
  const name = kind.toLowerCase();
  if (name.endsWith('endpoints')) return name;
  if (name.endsWith('s')) return `${name}es`;
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}

function find({ core, groups }: Served, named: Named): ResourceDiscovery | undefined {
  return findIn(named.group === '' ? core : groups, named);
}

function findIn({ items }: GroupDiscoveryList, { group, version, resource }: Named): ResourceDiscovery | undefined {
  const known = items.find(({ metadata }) => (metadata.name ?? '') === group);
  const versioned = known?.versions?.find((one) => one.version === version);
  return versioned?.resources?.find((one) => one.resource === resource);
}
