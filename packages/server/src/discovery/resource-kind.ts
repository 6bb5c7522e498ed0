/** Looks up a resource in discovery. */

import type { GroupDiscoveryList, ResourceDiscovery } from '@fleet/kube/discovery.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { Discovery, Served } from './discovery.ts';

type Named = Pick<ResourceRequest, 'group' | 'version' | 'resource'>;

export interface ObjectKind {
  kind: string;
  apiVersion: string;
}

/** The kind of its objects; empty for an unknown resource, whose watches end soon. */
export async function kindOf(discovery: Pick<Discovery, 'union'>, named: Named): Promise<ObjectKind> {
  const { kind = '' } = find(await discovery.union(), named)?.responseKind ?? {};
  return { kind, apiVersion: named.group === '' ? named.version : `${named.group}/${named.version}` };
}

export async function serves(discovery: Pick<Discovery, 'apisOf'>, place: string, named: Named): Promise<boolean> {
  const apis = await discovery.apisOf(place);
  return apis.is === 'known' && find(apis, named) !== undefined;
}

/**
 * Whether clients take an object of this kind for one of another resource than the requested one. Clients compare group, version and
 * kind; some use another version if they do not know this one. A kind that no resource has, such as `Scale`, is harmless, so the kinds
 * of lists and subresources need not be known.
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
      // Only in its own version: another one may be invented by a single member (SEC-1).
      if (one.version === version && isAsked(resource)) return false;
      isOther ||= one.version === version || !isAsked(resource);
    }
  }
  return isOther && !isAsked(guessedResource(kind));
}

/** Kinds that every cluster answers with, and that are no resource's, whatever a single member serves (SEC-2). */
const answers = new Set([' Status', 'autoscaling Scale']);

/** As Kubernetes guesses it, right for all its own kinds. So a member that claims them cannot make those of others unreadable (SEC-3). */
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
