/** Merges what the template and the policy ask for now into an existing binding. Fields that others write are kept. */

import { isDeepStrictEqual } from 'node:util';
import type { ObjectMeta } from '@fleet/client/kube-client.ts';
import type { Binding, BindingSpec } from '../api/bindings.ts';
import { claimOn, withClaim } from '../claim/claim-marks.ts';
import { bindingIdLabels } from './binding-of.ts';

/** What the policy and the template decide. All else is of the scheduler, of evictions, and of those who depend on it. */
const decided = [
  'resource',
  'replicas',
  'replicaRequirements',
  'components',
  'propagateDeps',
  'schedulerName',
  'placement',
  'failover',
  'conflictResolution',
  'preserveResourcesOnDeletion',
  'schedulePriority',
] as const satisfies readonly (keyof BindingSpec)[];

/**
 * The same binding if nothing changes, or if it is being deleted. One of another template that had the same name is not to be merged:
 * ask `belongsToAnother` first.
 */
export function mergeBinding(existing: Binding, desired: Binding): Binding {
  if (existing.metadata.deletionTimestamp !== undefined) return existing;
  const metadata = mergedMetadata(existing, desired);
  const spec = mergedSpec(existing.spec, desired.spec);
  const merged = { ...existing, metadata, spec };
  return isDeepStrictEqual(merged, existing) ? existing : merged;
}

/** It waits until the garbage collector has removed that one. */
export function belongsToAnother(existing: Binding, desired: Binding): boolean {
  const controllerOf = ({ metadata }: Binding) => metadata.ownerReferences?.find(({ controller }) => controller);
  const owner = controllerOf(existing);
  return owner !== undefined && owner.uid !== controllerOf(desired)?.uid;
}

const idKeys: readonly string[] = Object.values(bindingIdLabels);

function mergedMetadata(existing: Binding, desired: Binding): ObjectMeta {
  const { metadata } = withClaim(existing, claimOn(desired));
  const { labels = {}, annotations, finalizers = [], ownerReferences } = desired.metadata;
  const known = metadata.labels ?? {};
  const ours = Object.entries(labels).filter(([key]) => !(idKeys.includes(key) && known[key]));
  const missing = (finalizers ?? []).filter((one) => !metadata.finalizers?.includes(one));
  return {
    ...metadata,
    labels: { ...known, ...Object.fromEntries(ours) },
    annotations: { ...metadata.annotations, ...annotations },
    finalizers: [...(metadata.finalizers ?? []), ...missing],
    ...(ownerReferences ? { ownerReferences } : {}),
  };
}

function mergedSpec(existing: BindingSpec, desired: BindingSpec): BindingSpec {
  const { suspension: known, ...others } = withoutDecided(existing);
  const { suspension: ofPolicy, ...rest } = desired;
  const scheduling = known?.scheduling;
  // The scheduler's part of the suspension is the binding's own (FED-20).
  const suspension = { ...ofPolicy, ...(scheduling === undefined ? {} : { scheduling }) };
  const isSuspended = ofPolicy !== undefined || scheduling !== undefined;
  return { ...others, ...rest, ...(isSuspended ? { suspension } : {}) };
}

function withoutDecided(spec: BindingSpec): Omit<BindingSpec, (typeof decided)[number]> {
  const names: readonly string[] = decided;
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !names.includes(name)));
}
