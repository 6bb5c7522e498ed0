/** Tracks when a change of endpoints began, which Kubernetes records in an annotation: a pod became ready, or a Service was created. */

import type { Pod } from '../../pods/pod.ts';
import { readyCondition } from '../../pods/pod-conditions.ts';
import type { Service } from './service.ts';

interface Times {
  service: string;
  pods: Map<string, string>;
}

/** Times of the API server have a fixed length, so they can be compared as text. */
const timeOfPod = (pod: Pod): string => readyCondition(pod)?.lastTransitionTime ?? '';

export class TriggerTimes {
  readonly #known = new Map<string, Times>();

  /** The earliest change since the last call; undefined if there is none. */
  next(key: string, { metadata }: Service, pods: readonly Pod[]): string | undefined {
    const known = this.#known.get(key);
    const changed: string[] = [];
    const times = new Map<string, string>();
    for (const pod of pods) {
      const time = timeOfPod(pod);
      if (time === '') continue;
      times.set(pod.metadata.name, time);
      if (time > (known?.pods.get(pod.metadata.name) ?? '')) changed.push(time);
    }
    const created = metadata.creationTimestamp ?? '';
    if (created > (known?.service ?? '')) changed.push(created);
    this.#known.set(key, { service: created, pods: times });
    return changed.sort()[0];
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

/** Sets the annotation, or removes it if no new change began. */
export function withTriggerTime(
  annotation: string,
  annotations: Record<string, string> | undefined,
  time: string | undefined,
): { annotations?: Record<string, string> } {
  const { [annotation]: _, ...rest } = annotations ?? {};
  const next = time === undefined ? rest : { ...rest, [annotation]: time };
  return Object.keys(next).length > 0 ? { annotations: next } : {};
}
