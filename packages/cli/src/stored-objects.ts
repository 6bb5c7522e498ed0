/** Reads optional objects of the control plane. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { Binding } from '@fleet/federation/api/bindings.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { clusterResourceBindingsPath, inNamespace, resourceBindingsPath } from '@fleet/federation/api/paths.ts';
import { bindingName } from '@fleet/federation/work/work-name.ts';

export async function ifThere<T>(object: Promise<T>): Promise<T | undefined> {
  try {
    return await object;
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

/** By its name: it may belong to an earlier template. */
export function readBinding(controlPlane: KubeClient, { kind, metadata }: AnyObject): Promise<Binding | undefined> {
  const { namespace, name } = metadata;
  const path = namespace ? inNamespace(resourceBindingsPath, namespace) : clusterResourceBindingsPath;
  return ifThere(controlPlane.get<Binding>(`${path}/${encodeURIComponent(bindingName(kind, name))}`));
}
