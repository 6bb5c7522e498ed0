/** The PersistentVolumeClaims of a pod. */

import type { Pod, Volume } from './pod.ts';

/** Undefined for other volumes. The claim of an ephemeral volume is named after the pod. */
export const claimNameOf = (
  { metadata }: Pod,
  { name, persistentVolumeClaim, ephemeral }: Volume,
): string | undefined =>
  persistentVolumeClaim ? persistentVolumeClaim.claimName : ephemeral && `${metadata.name}-${name}`;

/** By namespace and name. */
export const claimsOf = (pod: Pod): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => {
    const name = claimNameOf(pod, volume);
    return name === undefined ? [] : [`${pod.metadata.namespace}/${name}`];
  });
