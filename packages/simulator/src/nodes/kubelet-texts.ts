/**
 * The reasons and messages of a kubelet of Kubernetes 1.36, as data. Paths are in Kubernetes' repository, below `pkg/kubelet`
 * unless they start with another folder.
 */

export type EventType = 'Normal' | 'Warning';

export interface EventText {
  type: EventType;
  /** `events/event.go`. */
  reason: string;
  message: string;
}

const normal = (reason: string, message: string): EventText => ({ type: 'Normal', reason, message });
const warning = (reason: string, message: string): EventText => ({ type: 'Warning', reason, message });

/** Go's `%q`, for the characters of names. */
const quoted = (text: string): string => JSON.stringify(text);

/** The title of a probe in Events: `prober/prober_manager.go`, probeType.String. */
export type ProbeTitle = 'Readiness' | 'Liveness' | 'Startup';

export const eventTexts = {
  // images/image_manager.go
  pulling: (image: string) => normal('Pulling', `Pulling image ${quoted(image)}`),
  pulled: (image: string, took: string, waited: string, bytes: number) =>
    normal(
      'Pulled',
      `Successfully pulled image ${quoted(image)} in ${took} (${waited} including waiting). Image size: ${bytes} bytes.`,
    ),
  present: (image: string) =>
    normal('Pulled', `Container image ${quoted(image)} already present on machine and can be accessed by the pod`),
  pullFailed: (image: string, error: string) => warning('Failed', `Failed to pull image ${quoted(image)}: ${error}`),
  pullBackOff: (image: string) => normal('BackOff', `Back-off pulling image ${quoted(image)}`),
  neverPulled: (image: string) =>
    warning('ErrImageNeverPull', `Container image ${quoted(image)} is not present with pull policy of Never`),
  invalidImage: (image: string, error: string) =>
    warning('InspectFailed', `Failed to apply default image tag ${quoted(image)}: ${error}`),

  // kuberuntime/kuberuntime_container.go, startContainer
  notCreated: (error: string) => warning('Failed', `Error: ${error}`),
  created: () => normal('Created', 'Container created'),
  started: () => normal('Started', 'Container started'),

  // pkg/volume/util/operationexecutor/operation_generator.go
  notMounted: (volume: string, error: string) =>
    warning('FailedMount', `MountVolume.SetUp failed for volume ${quoted(volume)} : ${error}`),

  // kuberuntime/kuberuntime_manager.go, computePodActions; kuberuntime_container.go, killContainer
  stopping: (container: string) => normal('Killing', `Stopping container ${container}`),
  definitionChanged: (container: string, isInit: boolean) =>
    normal(
      'Killing',
      isInit
        ? `Init container ${container} definition changed`
        : `Container ${container} definition changed, will be restarted`,
    ),
  initProbeKills: (container: string, probe: 'liveness' | 'startup') =>
    normal('Killing', `Init container ${container} failed ${probe} probe`),
  probeKills: (container: string, probe: 'liveness' | 'startup', restarts: boolean) =>
    normal('Killing', `Container ${container} failed ${probe} probe${restarts ? ', will be restarted' : ''}`),

  // kuberuntime/kuberuntime_manager.go, doBackOff
  restartBackOff: (container: string, pod: string) =>
    warning('BackOff', `Back-off restarting failed container ${container} in pod ${pod}`),

  // prober/prober.go
  unhealthy: (probe: ProbeTitle, output: string) => warning('Unhealthy', `${probe} probe failed: ${output}`),

  // active_deadline.go
  deadlineExceeded: () => normal('DeadlineExceeded', 'Pod was active on the node longer than the specified deadline'),

  // kubelet.go; kubelet_node_status.go, recordNodeStatusEvent
  starting: () => normal('Starting', 'Starting kubelet.'),
  nodeStatus: (node: string, status: string) => normal(status, `Node ${node} status is now: ${status}`),
};

/** `state.waiting.message`. */
export const waitingTexts = {
  // images/image_manager.go, pullImage
  pullBackOff: (image: string, error: string) => `Back-off pulling image ${quoted(image)}: ErrImagePull: ${error}`,
  // kuberuntime/kuberuntime_manager.go, doBackOff
  restartBackOff: (backOff: string, container: string, pod: string) =>
    `back-off ${backOff} restarting failed container=${container} pod=${pod}`,
};

/** containerd's error for a name that its registry does not have, as the kubelet forwards it. */
export const notFoundText = (reference: string): string =>
  `rpc error: code = NotFound desc = failed to pull and unpack image ${quoted(reference)}: failed to resolve reference ${quoted(reference)}: ${reference}: not found`;

/** `util/format/pod.go`. */
export const podText = (name: string, namespace: string, uid: string): string => `${name}_${namespace}(${uid})`;

/** The output of probes: `pkg/probe/http/http.go`, `pkg/probe/tcp/tcp.go`, `pkg/probe/grpc/grpc.go`. */
export const probeOutputs = {
  httpStatus: (code: number) => `HTTP probe failed with statuscode: ${code}`,
  httpRefused: (url: string, address: string) => `Get ${quoted(url)}: dial tcp ${address}: connect: connection refused`,
  tcpRefused: (address: string) => `dial tcp ${address}: connect: connection refused`,
  /** The output of busybox. */
  noSuchFile: (path: string) => `cat: can't open '${path}': No such file or directory\n`,
  grpcNotServing: () => 'service unhealthy (responded with "NOT_SERVING")',
};
