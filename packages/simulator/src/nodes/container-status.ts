/** Writes `status.containerStatuses` and the two lists beside it, as a kubelet does (`pkg/kubelet/kubelet_pods.go`). */

import { timeText } from '@fleet/kube/time-text.ts';
import type { Container, ContainerState, ContainerStateTerminated, ContainerStatus, Pod } from '../pods/pod.ts';
import { imageId, imageReference } from './image.ts';
import { type ContainerRecord, isRunning, type PodRecord, recordsByName } from './pod-record.ts';
import type { ContainerInstance, ContainerKind } from './running-pod.ts';

export function containerStatuses(pod: Pod, state: PodRecord, kinds: readonly ContainerKind[]): ContainerStatus[] {
  const specs = specsOf(pod, kinds);
  const hasInit = (pod.spec.initContainers?.length ?? 0) > 0;
  const known = recordsByName(state);
  const statuses = specs.flatMap((spec) => {
    const one = known.get(spec.name);
    return one ? [containerStatus(spec, one, hasInit)] : [];
  });
  // The kubelet sorts all but init containers by name.
  return kinds.includes('init') ? statuses : statuses.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function specsOf({ spec }: Pod, kinds: readonly ContainerKind[]): readonly Container[] {
  if (kinds.includes('main')) return spec.containers;
  return (kinds.includes('init') ? spec.initContainers : spec.ephemeralContainers) ?? [];
}

function containerStatus(spec: Container, one: ContainerRecord, hasInit: boolean): ContainerStatus {
  const { current } = one;
  const reference = imageReference(one.image);
  const state = stateField(one, hasInit);
  const lastEnded = state.terminated ? one.previous : (ended(current) ?? one.previous);
  return {
    name: one.name,
    state,
    lastState: lastEnded?.end ? { terminated: terminated(lastEnded) } : {},
    ready: one.ready,
    restartCount: current?.attempt ?? 0,
    image: current && reference ? reference : (spec.image ?? ''),
    imageID: current && reference ? imageId(reference) : '',
    ...(current ? { containerID: current.id } : {}),
    ...(one.kind === 'ephemeral' ? {} : { started: one.started && isRunning(one) }),
    ...(current && spec.resources?.requests ? { allocatedResources: spec.resources.requests } : {}),
    ...(current && one.kind !== 'ephemeral' ? { resources: spec.resources ?? {} } : {}),
    ...(spec.volumeMounts ? { volumeMounts: spec.volumeMounts.map(mountStatus) } : {}),
  };
}

const ended = (instance: ContainerInstance | undefined): ContainerInstance | undefined =>
  instance?.end ? instance : undefined;

const mountStatus = ({ name, mountPath, readOnly }: NonNullable<Container['volumeMounts']>[number]): object => ({
  name,
  mountPath,
  ...(readOnly ? { readOnly, recursiveReadOnly: 'Disabled' } : {}),
});

function stateField(one: ContainerRecord, hasInit: boolean): ContainerState {
  const { step, current } = one;
  switch (step.is) {
    case 'running':
    case 'stopping':
      return { running: { startedAt: timeText(current!.startedAt) } };
    case 'waiting':
      return { waiting: { reason: step.reason, message: step.message } };
    // Before a restart the kubelet shows how the last instance ended.
    case 'idle':
    case 'pulling':
    case 'creating':
    case 'exited':
    case 'ended':
      if (current?.end) return { terminated: terminated(current) };
      return { waiting: { reason: hasInit ? 'PodInitializing' : 'ContainerCreating' } };
    default:
      return step satisfies never;
  }
}

function terminated({ id, startedAt, end }: ContainerInstance): ContainerStateTerminated {
  return {
    exitCode: end!.exitCode,
    reason: end!.reason,
    startedAt: timeText(startedAt),
    finishedAt: timeText(end!.at),
    containerID: id,
  };
}
