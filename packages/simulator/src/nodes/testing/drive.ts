/** Runs a pod's lifecycle in virtual time: jumps from one due time to the next. */

import type { Pod, PodSpec, PodStatus } from '../../pods/pod.ts';
import type { NodeRuntime } from '../node-runtime.ts';
import { advance, newPodRecord } from '../pod-life.ts';
import type { PodRecord } from '../pod-record.ts';
import { podStatus } from '../pod-status.ts';

export interface Drive {
  pod: Pod;
  state: PodRecord;
  /** Seconds since the pod was seen, and the Event. */
  events: string[];
  readonly seconds: number;
  /** Undefined if nothing is due any more. */
  readonly due: number | undefined;
  status(): PodStatus;
  /** Advances until the test passes; fails if nothing is due before. */
  until(test: (status: PodStatus) => boolean): PodStatus;
  /** Advances by so many seconds. */
  for(seconds: number): PodStatus;
  /** Syncs now, as the pod has changed. */
  look(): void;
}

export const begin = Date.UTC(2026, 0, 1);

export function drive(
  spec: Partial<PodSpec> & Pick<PodSpec, 'containers'>,
  annotations: Record<string, string> = {},
): Drive {
  const named = Object.entries(annotations).map(([name, value]) => [`simulator.fleet.karmada.io/${name}`, value]);
  const pod: Pod = {
    metadata: { name: 'p', namespace: 'd', uid: 'u', generation: 1, annotations: Object.fromEntries(named) },
    spec: { nodeName: 'n', restartPolicy: 'Always', terminationGracePeriodSeconds: 30, ...spec },
  };
  let ids = 0;
  const runtime: NodeRuntime = {
    millis: (seconds) => seconds * 1000,
    images: new Set(['docker.io/library/app:1']),
    files: new Set(),
    newContainerId: () => String(++ids),
  };
  let now = begin;
  const state = newPodRecord(pod, now, runtime);
  const events: string[] = [];
  let due: number | undefined;
  const look = (): void => {
    const advanced = advance(pod, state, now, runtime, () => '10.0.0.5');
    due = advanced.due;
    for (const { reason, message } of advanced.events) events.push(`${(now - begin) / 1000} ${reason}: ${message}`);
    pod.status = { ...pod.status, ...podStatus(pod, state, '172.18.0.2', now) };
  };
  look();
  const step = (): boolean => {
    if (due === undefined) return false;
    now = Math.max(now, due);
    look();
    return true;
  };
  return {
    pod,
    state,
    events,
    get seconds() {
      return (now - begin) / 1000;
    },
    get due() {
      return due;
    },
    status: () => pod.status!,
    until(test) {
      for (let steps = 0; !test(pod.status!); steps++) {
        if (steps > 1000 || !step())
          throw new Error(`the condition never held: ${JSON.stringify(pod.status)}\n${events.join('\n')}`);
      }
      return pod.status!;
    },
    for(seconds) {
      const end = now + seconds * 1000;
      while (due !== undefined && due <= end) step();
      now = end;
      return pod.status!;
    },
    look,
  };
}
