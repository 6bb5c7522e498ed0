/** The kinds that a ResourceQuota counts: all namespaced kinds that are served, custom ones included. */

import {
  type CountedKind,
  countedKinds,
  countedNames,
  groupResource,
  isCountedKind,
} from '@fleet/apiserver/admission/quota-usage.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';

interface Groups {
  groups: { name: string; versions: { version: string }[] }[];
}

interface Resources {
  resources: { name: string; namespaced: boolean; verbs: string[] }[];
}

const prefix = 'count/';

export interface QuotaKinds {
  kinds: CountedKind[];
  /** Whether it limits objects of kinds that are not served. */
  isUnknown: boolean;
}

export async function kindsOf(
  client: KubeClient,
  hard: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<QuotaKinds> {
  const kinds = countedKinds.filter((kind) => countedNames(kind, hard).length > 0);
  const known = new Set(countedKinds.map(groupResource));
  const others = new Set(
    Object.keys(hard).flatMap((name) => {
      const resource = name.slice(prefix.length);
      return name.startsWith(prefix) && !known.has(resource) ? [resource] : [];
    }),
  );
  if (others.size === 0) return { kinds, isUnknown: false };
  for (const kind of await servedKinds(client, groupsOf(others), signal)) {
    if (isCountedKind(kind) && others.delete(groupResource(kind))) kinds.push(kind);
  }
  return { kinds, isUnknown: others.size > 0 };
}

/** `roles.rbac.authorization.k8s.io` is of the group `rbac.authorization.k8s.io`. */
const groupsOf = (resources: Iterable<string>): ReadonlySet<string> =>
  new Set(Array.from(resources, (one) => (one.includes('.') ? one.slice(one.indexOf('.') + 1) : '')));

/** Kinds of these groups, in the order of their versions. */
async function servedKinds(
  client: KubeClient,
  groupNames: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<CountedKind[]> {
  const { groups } = await client.get<Groups>('/apis', signal);
  const all = [{ name: '', versions: [{ version: 'v1' }] }, ...groups];
  const kinds: CountedKind[] = [];
  for (const { name: group, versions } of all.filter(({ name }) => groupNames.has(name))) {
    for (const { version } of versions) {
      const path = group ? `/apis/${group}/${version}` : `/api/${version}`;
      for (const { name: resource, namespaced, verbs } of await resourcesAt(client, path, signal)) {
        if (namespaced && verbs.includes('list')) kinds.push({ group, version, resource });
      }
    }
  }
  return kinds;
}

async function resourcesAt(client: KubeClient, path: string, signal: AbortSignal): Promise<Resources['resources']> {
  try {
    return (await client.get<Resources>(path, signal)).resources;
  } catch (error) {
    // The group's last definition was deleted since the groups were listed.
    if (isStatus(error, 404)) return [];
    throw error;
  }
}
