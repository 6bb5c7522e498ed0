/** Computes the size of each ReplicaSet of a Deployment. */

import { type ReplicaSet, replicasOf } from '../replica-sets/replica-set.ts';
import {
  activeSets,
  availableReplicas,
  byCreation,
  type Deployment,
  desiredReplicas,
  isRollingUpdate,
  maxSurge,
  maxUnavailable,
  specReplicas,
} from './deployment.ts';
import { isSaturated, maxReplicasOf } from './revisions.ts';

export interface Size {
  set: ReplicaSet;
  replicas: number;
}

/** The size of the new ReplicaSet, within the surge limit. */
export function newSetReplicas(deployment: Deployment, all: readonly ReplicaSet[], current: number): number {
  const desired = desiredReplicas(deployment);
  if (!isRollingUpdate(deployment)) return desired;
  const available = desired + maxSurge(deployment) - specReplicas(all);
  return available <= 0 ? current : current + Math.min(available, desired - current);
}

/** Scales old ReplicaSets down in a rolling update: first pods that are unavailable, then as many as may be unavailable. */
export function oldSetSizes(deployment: Deployment, old: readonly ReplicaSet[], newSet: ReplicaSet): Size[] {
  if (specReplicas(old) === 0) return [];
  const minAvailable = desiredReplicas(deployment) - maxUnavailable(deployment);
  const newUnavailable = replicasOf(newSet) - (newSet.status?.availableReplicas ?? 0);
  const allowed = specReplicas([...old, newSet]) - minAvailable - newUnavailable;
  if (allowed <= 0) return [];
  const sizes = [...old].sort(byCreation).map((set) => ({ set, replicas: replicasOf(set) }));
  let left = allowed;
  for (const size of sizes) {
    const unhealthy = size.replicas - (size.set.status?.availableReplicas ?? 0);
    if (size.replicas === 0 || unhealthy <= 0) continue;
    const gone = Math.min(left, unhealthy);
    size.replicas -= gone;
    left -= gone;
  }
  let spare = availableReplicas([...old, newSet]) - minAvailable;
  for (const size of sizes) {
    if (spare <= 0) break;
    const gone = Math.min(size.replicas, spare);
    size.replicas -= gone;
    spare -= gone;
  }
  return sizes.filter(({ set, replicas }) => replicas !== replicasOf(set));
}

export interface Scaling {
  sizes: Size[];
  /** Updates the annotations even if the size does not change. */
  isForced: boolean;
}

/** After the Deployment was scaled: resizes the only active ReplicaSet, or all of them in proportion. */
export function scaledSizes(
  deployment: Deployment,
  newSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): Scaling {
  const desired = desiredReplicas(deployment);
  const all = [...old, ...(newSet ? [newSet] : [])];
  const active = activeSets(all);
  const latest = newSet ?? [...old].sort(byCreation).at(-1);
  const only = active.length === 0 ? latest : active.length === 1 ? active[0] : undefined;
  if (only) return { sizes: replicasOf(only) === desired ? [] : [{ set: only, replicas: desired }], isForced: false };
  if (isSaturated(deployment, newSet)) {
    return { sizes: activeSets(old).map((set) => ({ set, replicas: 0 })), isForced: false };
  }
  if (!isRollingUpdate(deployment) || active.length === 0) return { sizes: [], isForced: false };
  return { sizes: proportionalSizes(deployment, active), isForced: true };
}

function proportionalSizes(deployment: Deployment, active: readonly ReplicaSet[]): Size[] {
  const desired = desiredReplicas(deployment);
  const toAdd = (desired > 0 ? desired + maxSurge(deployment) : 0) - specReplicas(active);
  const largestFirst = [...active].sort(
    (left, right) =>
      replicasOf(right) - replicasOf(left) || (toAdd > 0 ? byCreation(right, left) : byCreation(left, right)),
  );
  let added = 0;
  const sizes = largestFirst.map((set) => {
    const part = toAdd === 0 ? 0 : proportion(deployment, set, toAdd, added);
    added += part;
    return { set, replicas: replicasOf(set) + part };
  });
  // The largest gets the rounding difference.
  if (toAdd !== 0) sizes[0]!.replicas = Math.max(0, sizes[0]!.replicas + toAdd - added);
  return sizes;
}

function proportion(deployment: Deployment, set: ReplicaSet, toAdd: number, added: number): number {
  if (replicasOf(set) === 0 || toAdd === added) return 0;
  const allowed = toAdd - added;
  const fraction = fractionOf(deployment, set);
  return toAdd > 0 ? Math.min(fraction, allowed) : Math.max(fraction, allowed);
}

function fractionOf(deployment: Deployment, set: ReplicaSet): number {
  const replicas = replicasOf(set);
  if (desiredReplicas(deployment) === 0) return -replicas;
  const before = maxReplicasOf(set) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  const size = (replicas * (desiredReplicas(deployment) + maxSurge(deployment))) / before;
  return (size < 0 ? Math.ceil(size - 0.5) : Math.floor(size + 0.5)) - replicas;
}
