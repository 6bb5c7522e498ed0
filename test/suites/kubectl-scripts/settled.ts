/** Whether controllers have done all that they were asked for, by what they report themselves. */

import { type Contents, resources, type Served } from './compared-cluster.ts';
import { lasting } from './scripts/objects.ts';

/** What is not settled yet, by name; nothing if all is. */
export function unsettled(contents: Contents): string[] {
  return [
    ...withoutOwner(contents).map(named('without its owner')),
    ...contents.pods.filter((pod) => !isPodSettled(pod)).map(named('pod')),
    ...contents.deployments.filter((one) => !isDeploymentSettled(one)).map(named('deployment')),
    ...contents.replicasets.filter((one) => !isSetSettled(one)).map(named('replicaset')),
    ...contents.replicationcontrollers.filter((one) => !isSetSettled(one)).map(named('replicationcontroller')),
    ...contents.statefulsets.filter((one) => !isStatefulSetSettled(one)).map(named('statefulset')),
    ...contents.daemonsets.filter((one) => !isDaemonSetSettled(one)).map(named('daemonset')),
    ...contents.jobs.filter((one) => !isJobSettled(one)).map(named('job')),
    ...contents.poddisruptionbudgets.filter((one) => !isObserved(one)).map(named('poddisruptionbudget')),
    ...contents.services.filter((one) => !isServiceSettled(one, contents)).map(named('service')),
  ];
}

/** What the garbage collector has yet to remove. */
function withoutOwner(contents: Contents): Served[] {
  const all = resources.flatMap((resource) => contents[resource]);
  const uids = new Set(all.map(({ metadata }) => metadata.uid));
  return all.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => !uids.has(uid)));
}

const named = (kind: string) => (object: Served) => `${kind}/${object.metadata.name}`;

interface Condition {
  type: string;
  status: string;
}

interface Counts {
  observedGeneration?: number;
  replicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  desiredNumberScheduled?: number;
  currentNumberScheduled?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  active?: number;
  phase?: string;
  conditions?: Condition[];
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
}

interface Spec {
  replicas?: number;
  paused?: boolean;
  parallelism?: number;
  selector?: Record<string, string>;
  nodeName?: string;
  updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } };
}

const statusOf = (object: Served): Counts => (object.status ?? {}) as Counts;
const specOf = (object: Served): Spec => (object.spec ?? {}) as Spec;
const isTrue = (object: Served, type: string): boolean =>
  statusOf(object).conditions?.some((one) => one.type === type && one.status === 'True') ?? false;

const isObserved = (object: Served): boolean =>
  object.metadata.deletionTimestamp === undefined && statusOf(object).observedGeneration === object.metadata.generation;

const isEnded = (pod: Served): boolean => ['Succeeded', 'Failed'].includes(statusOf(pod).phase ?? '');

/** What a Job runs ends, unless its annotations forbid it. */
const isToEnd = ({ metadata }: Served): boolean =>
  (metadata.ownerReferences?.some(({ kind }) => kind === 'Job') ?? false) &&
  metadata.annotations?.['simulator.fleet.karmada.io/run-for'] !== lasting['simulator.fleet.karmada.io/run-for'];

const isPodSettled = (pod: Served): boolean =>
  pod.metadata.deletionTimestamp === undefined && (isEnded(pod) || (isTrue(pod, 'Ready') && !isToEnd(pod)));

function isSetSettled(set: Served): boolean {
  const { replicas = 1 } = specOf(set);
  const status = statusOf(set);
  return isObserved(set) && status.replicas === replicas && (status.availableReplicas ?? 0) === replicas;
}

function isDeploymentSettled(deployment: Served): boolean {
  const { paused } = specOf(deployment);
  const { updatedReplicas = 0, replicas = 0 } = statusOf(deployment);
  if (!isObserved(deployment)) return false;
  const hasSize = replicas === 0 ? (specOf(deployment).replicas ?? 1) === 0 : isAvailable(deployment);
  return hasSize && (paused === true || updatedReplicas === replicas);
}

const isAvailable = (set: Served): boolean => {
  const { replicas, availableReplicas } = statusOf(set);
  return replicas === specOf(set).replicas && availableReplicas === replicas;
};

function isStatefulSetSettled(set: Served): boolean {
  const { updateStrategy = {}, replicas = 1 } = specOf(set);
  const status = statusOf(set);
  const isRolled = updateStrategy.type !== 'RollingUpdate' || (updateStrategy.rollingUpdate?.partition ?? 0) > 0;
  const isSized = status.replicas === replicas && (status.availableReplicas ?? 0) === replicas;
  return isObserved(set) && isSized && (isRolled || status.currentRevision === status.updateRevision);
}

function isDaemonSetSettled(set: Served): boolean {
  const {
    desiredNumberScheduled: desired,
    currentNumberScheduled,
    numberAvailable = 0,
    updatedNumberScheduled = 0,
  } = statusOf(set);
  const isRolled = specOf(set).updateStrategy?.type === 'OnDelete' || updatedNumberScheduled === desired;
  return isObserved(set) && currentNumberScheduled === desired && numberAvailable === desired && isRolled;
}

function isJobSettled(job: Served): boolean {
  const { active = 0, uncountedTerminatedPods: uncounted = {} } = statusOf(job);
  const isCounted = !uncounted.succeeded?.length && !uncounted.failed?.length;
  if (!isCounted || job.metadata.deletionTimestamp !== undefined) return false;
  if (isTrue(job, 'Complete') || isTrue(job, 'Failed') || isTrue(job, 'Suspended')) return active === 0;
  return active === (specOf(job).parallelism ?? 1);
}

interface Endpoint {
  targetRef?: { name: string };
  conditions?: { ready?: boolean };
}

/** Its slices hold the pods that are ready. */
function isServiceSettled(service: Served, { pods, endpointslices }: Contents): boolean {
  const selector = Object.entries(specOf(service).selector ?? {});
  if (selector.length === 0) return true;
  const ready = pods.filter(
    (pod) =>
      !isEnded(pod) && isTrue(pod, 'Ready') && selector.every(([key, value]) => pod.metadata.labels?.[key] === value),
  );
  const slices = endpointslices.filter(
    ({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === service.metadata.name,
  );
  const held = slices.flatMap(({ endpoints }) => (endpoints as Endpoint[] | undefined) ?? []);
  const isHeld = ({ metadata }: Served) =>
    held.some(({ targetRef, conditions }) => targetRef?.name === metadata.name && conditions?.ready !== false);
  return slices.length > 0 && held.length === ready.length && ready.every(isHeld);
}
