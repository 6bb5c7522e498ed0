/** What a simulated kubelet reports, beside the literals in Kubernetes' sources that it comes from. */

import {
  type EventText,
  eventTexts,
  podText,
  probeOutputs,
  waitingTexts,
} from '@fleet/simulator/nodes/kubelet-texts.ts';

export interface KubeletText {
  ours: EventText | string;
  /** In Kubernetes' repository. */
  file: string;
  /** Literals of that file, without their quotes. They are joined before they are filled in. */
  formats: readonly string[];
  values?: readonly (string | number)[];
  /** Of `pkg/kubelet/events`, as the file names it; of its own, for the deadline alone. */
  reason?: string;
  /** Given where the file decides by a variable. */
  type?: 'variable';
}

const images = 'pkg/kubelet/images/image_manager.go';
const container = 'pkg/kubelet/kuberuntime/kuberuntime_container.go';
const manager = 'pkg/kubelet/kuberuntime/kuberuntime_manager.go';
const operations = 'pkg/volume/util/operationexecutor/operation_generator.go';

const killing = (
  ours: EventText,
  file: string,
  formats: readonly string[],
  values: readonly string[],
): KubeletText => ({
  ours,
  file,
  formats,
  values,
  reason: 'KillingContainer',
  // The event itself is recorded by killContainer.
  type: 'variable',
});

export const kubeletTexts: readonly KubeletText[] = [
  {
    ours: eventTexts.pulling('a:1'),
    file: images,
    formats: ['Pulling image %q'],
    values: ['a:1'],
    reason: 'PullingImage',
  },
  {
    ours: eventTexts.pulled('a:1', '1s', '2s', 3),
    file: images,
    formats: ['Successfully pulled image %q in %v (%v including waiting). Image size: %v bytes.'],
    values: ['a:1', '1s', '2s', 3],
    reason: 'PulledImage',
  },
  {
    ours: eventTexts.present('a:1'),
    file: images,
    formats: ['Container image %q already present on machine and can be accessed by the pod'],
    values: ['a:1'],
    reason: 'PulledImage',
  },
  {
    ours: eventTexts.pullFailed('a:1', 'why'),
    file: images,
    formats: ['Failed to pull image %q: %v'],
    values: ['a:1', 'why'],
    reason: 'FailedToPullImage',
  },
  {
    ours: eventTexts.pullBackOff('a:1'),
    file: images,
    formats: ['Back-off pulling image %q'],
    values: ['a:1'],
    reason: 'BackOffPullImage',
  },
  {
    ours: eventTexts.neverPulled('a:1'),
    file: images,
    formats: ['Container image %q is not present with pull policy of Never'],
    values: ['a:1'],
    reason: 'ErrImageNeverPullPolicy',
  },
  {
    ours: eventTexts.invalidImage('a:1', 'why'),
    file: images,
    formats: ['Failed to apply default image tag %q: %v'],
    values: ['a:1', 'why'],
    reason: 'FailedToInspectImage',
  },
  {
    ours: eventTexts.notCreated('why'),
    file: container,
    formats: ['Error: %v'],
    values: ['why'],
    reason: 'FailedToCreateContainer',
  },
  { ours: eventTexts.created(), file: container, formats: ['Container created'], reason: 'CreatedContainer' },
  { ours: eventTexts.started(), file: container, formats: ['Container started'], reason: 'StartedContainer' },
  {
    ours: eventTexts.notMounted('v', 'why').message,
    file: 'pkg/volume/util/operationexecutor/operation_executor.go',
    formats: ['%v for volume %q %v'],
    values: ['MountVolume.SetUp failed', 'v', ': why'],
  },
  { ours: 'MountVolume.SetUp failed', file: operations, formats: ['MountVolume.SetUp failed'] },
  {
    ours: { ...eventTexts.notMounted('v', 'why'), message: 'why' },
    file: operations,
    formats: ['%s'],
    values: ['why'],
    reason: 'FailedMountVolume',
  },
  {
    ours: eventTexts.stopping('c'),
    file: container,
    formats: ['Stopping container %s'],
    values: ['c'],
    reason: 'KillingContainer',
  },
  killing(eventTexts.definitionChanged('c', true), container, ['Init container %s definition changed'], ['c']),
  killing(eventTexts.initProbeKills('c', 'liveness'), container, ['Init container %s failed liveness probe'], ['c']),
  killing(eventTexts.initProbeKills('c', 'startup'), container, ['Init container %s failed startup probe'], ['c']),
  killing(eventTexts.probeKills('c', 'liveness', false), manager, ['Container %s failed liveness probe'], ['c']),
  killing(eventTexts.probeKills('c', 'startup', false), manager, ['Container %s failed startup probe'], ['c']),
  killing(
    eventTexts.probeKills('c', 'liveness', true),
    manager,
    ['%s, will be restarted'],
    ['Container c failed liveness probe'],
  ),
  killing(
    eventTexts.definitionChanged('c', false),
    manager,
    ['%s, will be restarted'],
    ['Container c definition changed'],
  ),
  {
    ours: 'Container c definition changed',
    file: manager,
    formats: ['Container %s definition changed'],
    values: ['c'],
  },
  {
    ours: eventTexts.restartBackOff('c', 'p'),
    file: manager,
    formats: ['Back-off restarting failed container %s in pod %s'],
    values: ['c', 'p'],
    reason: 'BackOffStartContainer',
  },
  {
    ours: eventTexts.unhealthy('Readiness', 'why'),
    file: 'pkg/kubelet/prober/prober.go',
    formats: ['%s probe failed: %s'],
    values: ['Readiness', 'why'],
    reason: 'ContainerUnhealthy',
  },
  ...(['Readiness', 'Liveness', 'Startup'] as const).map((title) => ({
    ours: title,
    file: 'pkg/kubelet/prober/prober_manager.go',
    formats: [title],
  })),
  {
    ours: eventTexts.deadlineExceeded().message,
    file: 'pkg/kubelet/active_deadline.go',
    formats: ['Pod was active on the node longer than the specified deadline'],
  },
  {
    ours: eventTexts.deadlineExceeded().reason,
    file: 'pkg/kubelet/active_deadline.go',
    formats: ['DeadlineExceeded'],
  },
  {
    ours: eventTexts.starting(),
    file: 'pkg/kubelet/kubelet.go',
    formats: ['Starting kubelet.'],
    reason: 'StartingKubelet',
  },
  {
    ours: eventTexts.nodeStatus('n', 'NodeReady'),
    file: 'pkg/kubelet/kubelet_node_status.go',
    formats: ['Node %s status is now: %s'],
    values: ['n', 'NodeReady'],
    reason: 'NodeReady',
    type: 'variable',
  },
  {
    ours: waitingTexts.pullBackOff('a:1', 'why'),
    file: images,
    formats: ['%s: %s'],
    values: ['Back-off pulling image "a:1"', 'ErrImagePull: why'],
  },
  {
    ours: waitingTexts.restartBackOff('10s', 'c', 'p'),
    file: manager,
    formats: ['back-off %s restarting failed container=%s pod=%s'],
    values: ['10s', 'c', 'p'],
  },
  {
    ours: podText('n', 's', 'u'),
    file: 'pkg/kubelet/util/format/pod.go',
    formats: ['%s_%s(%s)'],
    values: ['n', 's', 'u'],
  },
  {
    ours: probeOutputs.httpStatus(503),
    file: 'pkg/probe/http/http.go',
    formats: ['HTTP probe failed with statuscode: %d'],
    values: [503],
  },
  {
    ours: probeOutputs.grpcNotServing(),
    file: 'pkg/probe/grpc/grpc.go',
    formats: ['service unhealthy (responded with %q)'],
    values: ['NOT_SERVING'],
  },
];

/** What is wrong with a text, by the sources; nothing if it is Kubernetes'. */
export function wrongText(
  { ours, file, formats, values = [], reason, type }: KubeletText,
  read: (file: string) => string,
): string[] {
  const source = read(file);
  const missing = formats.filter((format) => !source.includes(JSON.stringify(format)));
  if (missing.length > 0) return [`${file} has no ${JSON.stringify(missing)}`];
  const left = [...values];
  const filled = formats.join('').replace(/%([qsvd])/g, (_, verb: string) => {
    const value = left.shift();
    return verb === 'q' ? JSON.stringify(value) : String(value);
  });
  const message = typeof ours === 'string' ? ours : ours.message;
  const wrong = message === filled ? [] : [`${JSON.stringify(message)} is ${JSON.stringify(filled)} in ${file}`];
  if (typeof ours === 'string' || reason === undefined) return wrong;
  const [, named] = new RegExp(`\\b${reason} += "(\\w+)"`).exec(read('pkg/kubelet/events/event.go')) ?? [];
  if (named !== ours.reason) wrong.push(`reason ${ours.reason} is ${named} in Kubernetes`);
  if (type === 'variable') return wrong;
  // The call is on the literal's line, or close by.
  const lines = source.split('\n');
  const isCalled = lines.some((line, at) => {
    const around = lines.slice(Math.max(0, at - 3), at + 4).join('\n');
    return (
      line.includes(JSON.stringify(formats[0])) &&
      around.includes(`EventType${ours.type}, `) &&
      around.includes(`events.${reason}`)
    );
  });
  return isCalled ? wrong : [...wrong, `${file} records ${reason} not as ${ours.type}`];
}
