/** Ends a pod, or its remaining containers: after a deletion, at its deadline, or when the other containers have ended. */

import type { Container, Pod } from '../pods/pod.ts';
import { containersWithKind } from './container-kinds.ts';
import { beginStop } from './container-life.ts';
import { eventTexts } from './kubelet-texts.ts';
import type { SyncContext } from './node-runtime.ts';
import { hasEnded, isRunning, type PodRecord, recordsByName } from './pod-record.ts';

/** By container name. */
export type Specs = ReadonlyMap<string, { one: Container }>;

/** After a deletion, or at the pod's deadline. */
export function stopIfAsked(pod: Pod, state: PodRecord, sync: SyncContext): void {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const { now, runtime } = sync;
  if (deletionTimestamp !== undefined) {
    const by = now + runtime.millis(deletionGracePeriodSeconds ?? 30);
    // Deleted again, with a shorter grace period.
    if (state.stopping) state.stopping.by = Math.min(state.stopping.by, by);
    else stopPod(pod, state, by, sync);
    return;
  }
  const deadline = pod.spec.activeDeadlineSeconds;
  if (deadline === undefined || state.stopping || state.containers.every(hasEnded)) return;
  if (now < state.startTime + runtime.millis(deadline)) return;
  const { reason, message, ...text } = eventTexts.deadlineExceeded();
  sync.record({ ...text, reason, message });
  stopPod(pod, state, now + runtime.millis(pod.spec.terminationGracePeriodSeconds ?? 30), sync);
  if (state.stopping) Object.assign(state.stopping, { reason, message });
}

function stopPod(pod: Pod, state: PodRecord, by: number, sync: SyncContext): void {
  state.stopping = { by };
  const known = recordsByName(state);
  for (const [spec, kind] of containersWithKind(pod)) {
    const one = known.get(spec.name);
    if (one?.step.is !== 'running' || kind === 'sidecar') continue;
    sync.record(eventTexts.stopping(one.name), one.name);
    beginStop(one, spec, by, sync);
  }
}

/** Sidecars end when the others have, and if the pod's initialization has failed permanently. */
export function stopRest(pod: Pod, state: PodRecord, specs: Specs, sync: SyncContext): void {
  const hasFailed = state.containers.some(
    (one) => one.kind === 'init' && hasEnded(one) && one.current?.end?.exitCode !== 0,
  );
  const isOver = state.containers.every((one) => one.kind !== 'main' || hasEnded(one));
  if (!hasFailed && !isOver) return;
  const by = state.stopping?.by ?? sync.now + sync.runtime.millis(pod.spec.terminationGracePeriodSeconds ?? 30);
  for (const one of state.containers) {
    const spec = specs.get(one.name)?.one;
    if (!spec || hasEnded(one) || one.kind === 'init') continue;
    if (one.step.is === 'running') {
      sync.record(eventTexts.stopping(one.name), one.name);
      beginStop(one, spec, by, sync);
      // It is not restarted afterwards.
      state.stopping ??= { by };
    } else if (!isRunning(one)) one.step = { is: 'ended' };
  }
}
