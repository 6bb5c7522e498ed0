/** Sets the owners of a StatefulSet's claims by its persistentVolumeClaimRetentionPolicy: claims are deleted with their owners. */

import type { KubeObject, OwnerReference } from '@fleet/client/kube-client.ts';
import type { Pod } from '../../pods/pod.ts';
import { controllerRef } from '../shared/controller-ref.ts';
import { type Claim, isInRange, ordinalOf, type StatefulSet, statefulSets } from './stateful-set.ts';

const pods = { apiVersion: 'v1', kind: 'Pod' };

const refersTo = (
  ref: OwnerReference,
  { metadata }: { metadata: Partial<KubeObject['metadata']> },
  { apiVersion, kind }: { apiVersion: string; kind: string },
): boolean => ref.apiVersion === apiVersion && ref.kind === kind && ref.name === metadata.name;

const policyOf = ({ spec }: StatefulSet): { whenDeleted: string; whenScaled: string } => ({
  whenDeleted: 'Retain',
  whenScaled: 'Retain',
  ...spec.persistentVolumeClaimRetentionPolicy,
});

/** An earlier pod of that name owns the claim, which is being deleted. */
export const isStale = (set: StatefulSet, claim: Claim, pod: { metadata: Partial<Pod['metadata']> }): boolean =>
  policyOf(set).whenScaled !== 'Retain' &&
  (claim.metadata.ownerReferences ?? []).some((ref) => refersTo(ref, pod, pods) && ref.uid !== pod.metadata.uid);

/** Another controller owns it: the policy does not apply. */
export function hasOtherController(set: StatefulSet, claim: Claim, pod: Pod): boolean {
  const { whenDeleted, whenScaled } = policyOf(set);
  if (whenDeleted === 'Retain' && whenScaled === 'Retain') return false;
  return (claim.metadata.ownerReferences ?? []).some((ref) => {
    if (refersTo(ref, set, statefulSets)) return ref.uid !== set.metadata.uid;
    if (refersTo(ref, pod, pods)) return ref.uid !== pod.metadata.uid;
    return ref.controller === true;
  });
}

/** Undefined if they are correct already. */
export function retainedOwners(set: StatefulSet, claim: Claim, pod: Pod): OwnerReference[] | undefined {
  const { ownerReferences = [] } = claim.metadata;
  const isOurs = (ref: OwnerReference) => refersTo(ref, set, statefulSets) || refersTo(ref, pod, pods);
  const hasStale = ownerReferences.some(
    (ref) => isOurs(ref) && ![set.metadata.uid, pod.metadata.uid].includes(ref.uid),
  );
  if (hasStale) return undefined;
  const others = ownerReferences.filter((ref) => !isOurs(ref));
  const desired = hasOtherController(set, claim, pod) ? [] : desiredOwners(set, pod);
  const current = ownerReferences.filter(isOurs);
  const isSame =
    current.length === desired.length &&
    current.every((ref) => ref.controller && desired.some(({ uid }) => uid === ref.uid));
  return isSame ? undefined : [...others, ...desired];
}

function desiredOwners(set: StatefulSet, pod: Pod): OwnerReference[] {
  const { whenDeleted, whenScaled } = policyOf(set);
  const ordinal = ordinalOf(set, pod);
  const isScaledDown = ordinal === undefined || !isInRange(set, ordinal);
  if (whenScaled === 'Delete' && isScaledDown) return [controllerRef(pods, pod)];
  return whenDeleted === 'Delete' ? [controllerRef(statefulSets, set)] : [];
}
