/** Finds pods that no kubelet will end, and orders ended pods for removal. */

import type { Node } from '../../nodes/node.ts';
import type { Pod } from '../../pods/pod.ts';

export type Fault = 'orphaned' | 'unscheduled' | 'out-of-service';

const outOfService = 'node.kubernetes.io/out-of-service';

/** `node` is the pod's node, if it exists. Undefined if the pod need not be removed. */
export function faultOf({ metadata, spec }: Pod, node: Node | undefined): Fault | undefined {
  if (spec.nodeName && !node) return 'orphaned';
  if (metadata.deletionTimestamp === undefined) return undefined;
  if (!spec.nodeName) return 'unscheduled';
  return node && isOutOfService(node) ? 'out-of-service' : undefined;
}

/** It has the out-of-service taint, and is not Ready. */
export const isOutOfService = ({ spec, status }: Node): boolean =>
  (spec.taints?.some(({ key }) => key === outOfService) ?? false) &&
  !status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');

const isEvicted = ({ status }: Pod): boolean => status?.phase === 'Failed' && status.reason === 'Evicted';

/** Evicted pods first, then the oldest. */
export function byRemoval(left: Pod, right: Pod): number {
  if (isEvicted(left) !== isEvicted(right)) return isEvicted(left) ? -1 : 1;
  const [leftTime = '', rightTime = ''] = [left.metadata.creationTimestamp, right.metadata.creationTimestamp];
  if (leftTime !== rightTime) return leftTime < rightTime ? -1 : 1;
  return left.metadata.name < right.metadata.name ? -1 : 1;
}
