/** Whether only the status has changed: what is derived from the object's content is still up to date then. */

import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@fleet/client/kube-client.ts';

/** The server counts changes of the content as generations. Kinds without them, such as ConfigMaps, may always have another one. */
export function isSameButStatus(now: KubeObject, old: KubeObject | undefined): boolean {
  if (!old || now.metadata.generation === undefined) return false;
  return isDeepStrictEqual(countedOf(now), countedOf(old));
}

const countedOf = ({ metadata }: KubeObject) => {
  const { uid, generation, deletionTimestamp, labels, annotations, finalizers, ownerReferences } = metadata;
  return { uid, generation, deletionTimestamp, labels, annotations, finalizers, ownerReferences };
};
