/** Ends commands and port connections with their container or pod. */

import type { RunningPod } from '../nodes/running-pod.ts';
import type { RunningPodSource } from './observed-container.ts';
import type { Pod } from './pod.ts';

export interface Lifetime extends Disposable {
  /** Aborted at its end. */
  signal: AbortSignal;
}

/** Without nodes the end cannot be detected. */
function lifetime(pod: Pod, nodes: RunningPodSource | undefined, isOver: (now: RunningPod | undefined) => boolean) {
  const ending = new AbortController();
  const uid = pod.metadata.uid!;
  const check = (now: RunningPod | undefined): void => {
    if (isOver(now)) ending.abort();
  };
  const observed = nodes?.running(uid) && nodes.observe(uid, check);
  return { signal: ending.signal, [Symbol.dispose]: () => observed?.[Symbol.dispose]() } satisfies Lifetime;
}

export const podLifetime = (pod: Pod, nodes: RunningPodSource | undefined): Lifetime =>
  lifetime(pod, nodes, (now) => now === undefined);

/** Of one start of a container. */
export const instanceLifetime = (
  pod: Pod,
  container: string,
  attempt: number,
  nodes: RunningPodSource | undefined,
): Lifetime =>
  lifetime(pod, nodes, (now) => {
    const current = now?.containers.find(({ name }) => name === container)?.current;
    return current === undefined || current.attempt !== attempt || current.end !== undefined;
  });
