/** Whether a change was one of the status alone: what is made of an object's content needs no look then. */

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
