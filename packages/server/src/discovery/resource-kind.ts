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
 * Whether clients take what says that it is of this kind for an object of another resource. They go by group, version and kind,
 * and some by another version where they do not know this one. What no resource is of they cannot act on, such as a `Scale`, so
 * that a list's kind and those of subresources need not be known.
 */
export function isOfAnother({ core, groups }: Served, asked: Named, apiVersion: string, kind: string): boolean {
  const slash = apiVersion.indexOf('/');
  const [group, version] = slash === -1 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
  if (group === 'meta.k8s.io' || answers.has(`${group} ${kind}`)) return false;
  const known = (group === '' ? core : groups).items.find(({ metadata }) => (metadata.name ?? '') === group);
  const isAsked = (resource: string): boolean => group === asked.group && resource === asked.resource;
  let isOther = false;
  for (const one of known?.versions ?? []) {
    for (const { resource, responseKind } of one.resources ?? []) {
      if (responseKind?.kind !== kind) continue;
      // Only of its own version: another may be one that a single member makes up (SEC-1).
      if (one.version === version && isAsked(resource)) return false;
      isOther ||= one.version === version || !isAsked(resource);
    }
  }
  return isOther && !isAsked(guessedResource(kind));
}

/** Every cluster answers with them, and no resource is of them, whatever one member claims: it has no effect on others (SEC-2). */
const answers = new Set([' Status', 'autoscaling Scale']);

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
