/** Finds where a member serves an object, by the member's own discovery (FED-9). */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '../api/objects.ts';

/** An APIGroup and an APIResourceList, as far as they are read here. */
interface Group {
  versions?: readonly { groupVersion: string }[];
}
interface ResourceList {
  resources?: readonly { name: string; kind: string; namespaced: boolean }[];
}

/** In the object's own version, or in another one of the group. Undefined where the member does not serve the kind: then it has none. */
export async function memberPathOf(member: Pick<KubeClient, 'get'>, object: AnyObject): Promise<string | undefined> {
  const { apiVersion, kind, metadata } = object;
  for (const version of await versionsOf(member, apiVersion)) {
    const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
    const { resources = [] } = (await found<ResourceList>(member, root)) ?? {};
    // The others of a kind are its subresources.
    const resource = resources.find((one) => one.kind === kind && !one.name.includes('/'));
    if (!resource) continue;
    const place = resource.namespaced ? `/namespaces/${encodeURIComponent(metadata.namespace ?? '')}` : '';
    return `${root}${place}/${encodeURIComponent(resource.name)}/${encodeURIComponent(metadata.name)}`;
  }
  return undefined;
}

/** The object's own first. */
async function versionsOf(member: Pick<KubeClient, 'get'>, apiVersion: string): Promise<readonly string[]> {
  const [group = '', version] = apiVersion.split('/');
  if (version === undefined) return [apiVersion];
  const { versions = [] } = (await found<Group>(member, `/apis/${group}`)) ?? {};
  const served = versions.map(({ groupVersion }) => groupVersion);
  return [...served].sort((left, right) => Number(right === apiVersion) - Number(left === apiVersion));
}

async function found<T>(member: Pick<KubeClient, 'get'>, path: string): Promise<T | undefined> {
  try {
    return await member.get<T>(path);
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}
