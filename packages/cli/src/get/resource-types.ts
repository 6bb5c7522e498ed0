/** Looks up resource types by name in aggregated discovery, as kubectl does. */

import { errorOf } from '@fleet/client/kube-client.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { aggregatedDiscoveryAccept, type GroupDiscovery, isGroupDiscoveryList } from '@fleet/kube/discovery.ts';

export interface ResourceType {
  group: string;
  version: string;
  /** The plural, as in URLs. */
  resource: string;
  singular: string;
  kind: string;
  namespaced: boolean;
  shortNames: readonly string[];
  categories: readonly string[];
  verbs: readonly string[];
}

/** In the order of the server: groups by priority, preferred versions first. */
export async function readResourceTypes(upstream: Upstream, signal: AbortSignal): Promise<ResourceType[]> {
  const groups = await Promise.all(['/api', '/apis'].map((path) => readGroups(upstream, path, signal)));
  return groups.flat().flatMap(typesOf);
}

async function readGroups(upstream: Upstream, path: string, signal: AbortSignal): Promise<GroupDiscovery[]> {
  const headers = { accept: aggregatedDiscoveryAccept, 'user-agent': 'fleet-cli' };
  const reply = await upstream.call({ method: 'GET', path, headers, signal });
  const bytes = await reply.body.bytes();
  if (reply.status !== 200) throw errorOf(reply.status, bytes);
  const answer: unknown = JSON.parse(bytes.toString());
  if (!isGroupDiscoveryList(answer)) throw new Error(`the answer to ${path} is no aggregated discovery`);
  return answer.items;
}

const typesOf = ({ metadata, versions }: GroupDiscovery): ResourceType[] =>
  (versions ?? []).flatMap(({ version, resources }) =>
    (resources ?? []).map(({ resource, singularResource, responseKind, scope, verbs, shortNames, categories }) => ({
      group: metadata.name ?? '',
      version,
      resource,
      singular: singularResource || (responseKind?.kind ?? resource).toLowerCase(),
      kind: responseKind?.kind ?? '',
      namespaced: scope === 'Namespaced',
      shortNames: shortNames ?? [],
      categories: categories ?? [],
      verbs,
    })),
  );

/** `Deployment.apps` in small letters, as kubectl puts it before names. */
export const kindName = ({ kind, group }: ResourceType): string => (group ? `${kind}.${group}` : kind).toLowerCase();

/** The types that one word names: a category such as `all` names many. */
export function findTypes(types: readonly ResourceType[], word: string): ResourceType[] {
  const name = word.toLowerCase();
  const inCategory = types.filter(({ categories, verbs }) => categories.includes(name) && verbs.includes('list'));
  if (inCategory.length > 0) return onePerKind(inCategory);
  const found = findType(types, name);
  if (!found) throw new Error(`the server doesn't have a resource type "${word}"`);
  return [found];
}

/** A kind that is served in several versions is listed once. */
function onePerKind(types: readonly ResourceType[]): ResourceType[] {
  const seen = new Map(types.toReversed().map((type) => [`${type.resource}.${type.group}`, type]));
  return types.filter((type) => seen.get(`${type.resource}.${type.group}`) === type);
}

/** `deployments.v1.apps`, `deployments.apps`, `deployments`: each also as singular, kind or short name. */
function findType(types: readonly ResourceType[], name: string): ResourceType | undefined {
  const [resource = '', version, ...group] = name.split('.');
  const groupAlone = name.slice(resource.length + 1);
  const scopes: ((type: ResourceType) => boolean)[] =
    version === undefined
      ? [() => true]
      : [
          (type) => group.length > 0 && type.version === version && type.group === group.join('.'),
          (type) => type.group === groupAlone,
          // As kubectl: the beginning of a group is enough.
          (type) => type.group.startsWith(groupAlone),
        ];
  for (const isWithin of scopes) {
    const within = types.filter(isWithin);
    const found =
      within.find((type) => type.resource === resource) ??
      within.find((type) => type.singular === resource || type.kind.toLowerCase() === resource) ??
      within.find((type) => type.shortNames.includes(resource));
    if (found) return found;
  }
  return undefined;
}
