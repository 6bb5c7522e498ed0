/** Lists the policies of the control plane. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import {
  clusterOverridePoliciesPath,
  clusterPropagationPoliciesPath,
  inNamespace,
  overridePoliciesPath,
  propagationPoliciesPath,
} from '@fleet/federation/api/paths.ts';
import type { OverridePolicy, PropagationPolicy } from '@fleet/federation/api/policies.ts';
import { HintedError } from './errors.ts';

/** Of one namespace, and those of the cluster. */
export async function readPolicies(
  controlPlane: KubeClient,
  namespace: string | undefined,
): Promise<PropagationPolicy[]> {
  const [own, cluster] = await Promise.all([
    inOne<PropagationPolicy>(controlPlane, propagationPoliciesPath, namespace),
    list<PropagationPolicy>(controlPlane, clusterPropagationPoliciesPath),
  ]);
  return [...own, ...cluster];
}

export interface StoredOverrides {
  clusterOverrides: OverridePolicy[];
  overrides: OverridePolicy[];
}

export async function readOverrides(controlPlane: KubeClient, namespace: string | undefined): Promise<StoredOverrides> {
  const [clusterOverrides, overrides] = await Promise.all([
    list<OverridePolicy>(controlPlane, clusterOverridePoliciesPath),
    inOne<OverridePolicy>(controlPlane, overridePoliciesPath, namespace),
  ]);
  return { clusterOverrides, overrides };
}

/** Cluster-scoped templates have none of a namespace. */
const inOne = async <T>(controlPlane: KubeClient, path: string, namespace: string | undefined): Promise<T[]> =>
  namespace ? list<T>(controlPlane, inNamespace(path, namespace)) : [];

async function list<T>(controlPlane: KubeClient, path: string): Promise<T[]> {
  try {
    return (await controlPlane.list<T>(path)).items;
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    throw new HintedError('this fleet has no policies', 'Federation is off: start "fleet serve" with --federation', {
      cause: error,
    });
  }
}
