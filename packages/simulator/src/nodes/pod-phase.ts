/** The phase of a pod, from its containers: `getPhase` of `pkg/kubelet/kubelet_pods.go`. */

import type { Pod } from '../pods/pod.ts';
import { containersWithKind } from './container-kinds.ts';
import { shouldRestart } from './pod-life.ts';
import { type ContainerRecord, isRunning, type PodRecord, recordsByName } from './pod-record.ts';

export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** The exit code of its last run; undefined if it runs or never did. */
const lastEnd = (one: ContainerRecord): number | undefined => (isRunning(one) ? undefined : one.current?.end?.exitCode);

export function podPhase(pod: Pod, state: PodRecord): Phase {
  const isOver = state.stopping !== undefined;
  const hasStarted = state.containers.some(({ kind, current }) => kind === 'main' && current);
  let pending = false;
  let running = 0;
  let ended = 0;
  let failed = 0;
  let restarting = 0;
  const known = recordsByName(state);
  for (const [spec, kind] of containersWithKind(pod)) {
    const one = known.get(spec.name);
    if (!one || kind === 'ephemeral') continue;
    const exitCode = lastEnd(one);
    if (kind === 'init') {
      if (exitCode === undefined) pending = true;
      else if (exitCode !== 0 && !shouldRestart(pod, one, spec, exitCode)) return 'Failed';
      else if (exitCode !== 0) pending = true;
      continue;
    }
    if (kind === 'sidecar') {
      if (!isRunning(one) && !one.current) pending = true;
      else if (isRunning(one) && !one.started && !hasStarted) pending = true;
      if (isRunning(one)) running++;
      continue;
    }
    if (isRunning(one)) running++;
    else if (exitCode === undefined) pending = true;
    else {
      ended++;
      if (exitCode !== 0) failed++;
      if (!isOver && shouldRestart(pod, one, spec, exitCode)) restarting++;
    }
  }
  if (pending) return 'Pending';
  if (running > 0 || restarting > 0) return 'Running';
  if (ended === 0) return 'Pending';
  return failed > 0 ? 'Failed' : 'Succeeded';
}
