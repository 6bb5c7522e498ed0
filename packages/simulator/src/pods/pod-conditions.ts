/** Predicates on a pod's status, as in Kubernetes' `pkg/api/v1/pod` and `pkg/controller`. */

import type { Pod, PodCondition } from './pod.ts';

export const readyCondition = ({ status }: Pod): PodCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready');

export const isReady = (pod: Pod): boolean => readyCondition(pod)?.status === 'True';

export const isTerminal = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Counts as a replica. */
export const isActive = (pod: Pod): boolean => !isTerminal(pod) && !pod.metadata.deletionTimestamp;

export const isTerminating = (pod: Pod): boolean => !isTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;

/** Receives the requests of a Service. */
export const isServing = (pod: Pod): boolean => pod.metadata.deletionTimestamp === undefined && isReady(pod);
