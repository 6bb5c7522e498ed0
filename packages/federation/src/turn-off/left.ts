/** What federation has left in a control plane: objects with its finalizers, which no other controller removes (FED-38). */

import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { clusterResourceBindingsPath, clustersPath, resourceBindingsPath, worksPath } from '../api/paths.ts';
import { bindingFinalizers } from '../binding/binding-of.ts';
import { policyKinds } from '../claim/policy-controller.ts';
import { dependenciesFinalizer } from '../dependencies/parent-marks.ts';
import { clusterFinalizer } from '../spaces/spaces-controller.ts';
import { executionFinalizer } from '../work/work-of.ts';

interface HeldKind {
  /** As kubectl names them. */
  resource: string;
  path: string;
  finalizers: readonly string[];
}

const bindingFinalizersOf = (own: string): readonly string[] => [own, dependenciesFinalizer];
const [policies, clusterPolicies] = policyKinds;

export const heldKinds: readonly HeldKind[] = [
  { resource: 'propagationpolicies', path: policies.path, finalizers: [policies.finalizer] },
  { resource: 'clusterpropagationpolicies', path: clusterPolicies.path, finalizers: [clusterPolicies.finalizer] },
  {
    resource: 'resourcebindings',
    path: resourceBindingsPath,
    finalizers: bindingFinalizersOf(bindingFinalizers.namespaced),
  },
  {
    resource: 'clusterresourcebindings',
    path: clusterResourceBindingsPath,
    finalizers: bindingFinalizersOf(bindingFinalizers.cluster),
  },
  { resource: 'works', path: worksPath, finalizers: [executionFinalizer] },
  { resource: 'clusters', path: clustersPath, finalizers: [clusterFinalizer] },
];

/** Objects of one kind; there is at least one. */
export interface Left {
  resource: string;
  objects: readonly KubeObject[];
}

export async function leftOfFederation(client: KubeClient, signal?: AbortSignal): Promise<Left[]> {
  const left: Left[] = [];
  for (const { resource, path, finalizers } of heldKinds) {
    const objects = (await listed(client, path, signal)).filter((object) => isHeld(object, finalizers));
    if (objects.length > 0) left.push({ resource, objects });
  }
  return left;
}

export const isHeld = ({ metadata }: KubeObject, finalizers: readonly string[]): boolean =>
  metadata.finalizers?.some((one) => finalizers.includes(one)) ?? false;

async function listed(client: KubeClient, path: string, signal: AbortSignal | undefined): Promise<KubeObject[]> {
  try {
    return (await client.list<KubeObject>(path, signal)).items;
  } catch (error) {
    // Its kinds were never installed.
    if (isStatus(error, 404)) return [];
    throw error;
  }
}
