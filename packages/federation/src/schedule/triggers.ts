/** Whether a binding must be scheduled (again), after a change of its own or of a Cluster (FED-17, FED-23). */

import { isDeepStrictEqual } from 'node:util';
import { matcherOf } from '@fleet/kube/selectors/cluster-affinity.ts';
import type { Binding } from '../api/bindings.ts';
import type { Placement } from '../api/policies.ts';
import { isLeaving } from '../members/leaving.ts';
import { affinityOf, type Member, selectedCluster, servesKind } from './candidates.ts';
import { isDivided, strategyOf } from './strategy.ts';

export const appliedPlacementAnnotation = 'policy.karmada.io/applied-placement';

/** The text of the annotation, written with the result. */
export const appliedPlacement = (placement: Placement): string => JSON.stringify(placement);

export type Trigger =
  | 'placement'
  | 'replicas'
  | 'reschedule'
  /** The scheduler has not followed the clusters for this binding so far, or the spec of the binding has changed. */
  | 'binding'
  | 'cluster'
  | 'no cluster fit'
  /** The scheduler was stopped before it reported its last result. */
  | 'not reported'
  | 'api enabled';

const claims = ['propagationpolicy.karmada.io/permanent-id', 'clusterpropagationpolicy.karmada.io/permanent-id'];

/** Never: suspended, without a claim, a dependency without a placement, left to another scheduler, or being deleted. */
export function isSchedulable({ metadata, spec }: Binding): boolean {
  if (metadata.deletionTimestamp || !spec.placement || spec.suspension?.scheduling) return false;
  if (spec.schedulerName && spec.schedulerName !== 'default-scheduler') return false;
  return claims.some((label) => metadata.labels?.[label]);
}

/** `before` is undefined for a binding that is seen for the first time. */
export function bindingTrigger(
  before: Binding | undefined,
  after: Binding,
  memberNamed: (name: string) => Member | undefined,
): Trigger | undefined {
  if (!isSchedulable(after)) return undefined;
  const wasSchedulable = before !== undefined && isSchedulable(before);
  if (wasSchedulable && isUnchanged(before, after)) return undefined;
  if (placementDiffers(after)) return 'placement';
  if (replicasDiffer(after)) return 'replicas';
  if (isRescheduleRequested(after)) return 'reschedule';
  if (isNoClusterFit(after) && !wasSchedulable) return 'no cluster fit';
  if (!isDivided(after.spec)) return 'binding';
  if (after.spec.clusters?.some(({ name }) => !isPresent(memberNamed(name)))) return 'cluster';
  return before || isReported(after) ? undefined : 'not reported';
}

/** Status, and what others write into metadata, is no reason. */
const isUnchanged = (before: Binding, after: Binding): boolean =>
  after.metadata.generation !== undefined &&
  before.metadata.generation === after.metadata.generation &&
  appliedText(before) === appliedText(after);

const appliedText = ({ metadata }: Binding): string | undefined => metadata.annotations?.[appliedPlacementAnnotation];

function placementDiffers(binding: Binding): boolean {
  const text = appliedText(binding);
  if (!text) return true;
  try {
    return !isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(binding.spec.placement)));
  } catch (error) {
    // Scheduling writes a text that can be read.
    if (error instanceof SyntaxError) return true;
    throw error;
  }
}

function replicasDiffer({ spec }: Binding): boolean {
  const { clusters = [], placement = {}, replicas = 0 } = spec;
  if (!placement.replicaScheduling) return false;
  if (strategyOf(placement) === 'Duplicated') return clusters.some((target) => (target.replicas ?? 0) !== replicas);
  return clusters.reduce((sum, target) => sum + (target.replicas ?? 0), 0) !== replicas;
}

/** A request from before the first schedule is ignored: there is nothing to schedule again. */
function isRescheduleRequested({ spec, status }: Binding): boolean {
  const { rescheduleTriggeredAt } = spec;
  const last = status?.lastScheduledTime;
  return Boolean(rescheduleTriggeredAt && last) && Date.parse(rescheduleTriggeredAt!) > Date.parse(last!);
}

const isNoClusterFit = ({ status }: Binding): boolean =>
  status?.conditions?.some(
    ({ type, status, reason }) => type === 'Scheduled' && status === 'False' && reason === 'NoClusterFit',
  ) ?? false;

const isReported = ({ status }: Binding): boolean =>
  status?.conditions?.some(({ type, status }) => type === 'Scheduled' && status === 'True') ?? false;

const isPresent = (member: Member | undefined): boolean => member?.federated === true && !isLeaving(member.cluster);

/** A Cluster that joined has no `before`, one that left no `after`. */
export type ClusterChange =
  | { before: Member; after: Member }
  | { before?: undefined; after: Member }
  | { before: Member; after?: undefined };

export function clusterTrigger(binding: Binding, { before, after }: ClusterChange): Trigger | undefined {
  if (!isSchedulable(binding)) return undefined;
  const { name } = (after ?? before).cluster.metadata;
  const isChosen = binding.spec.clusters?.some((target) => target.name === name) ?? false;
  if (isChosen && !isPresent(after)) return 'cluster';
  if (isDeepStrictEqual(schedulingView(binding, before), schedulingView(binding, after))) return undefined;
  // Even a cluster that does not match is counted in the message.
  if (isNoClusterFit(binding)) return 'no cluster fit';
  const matches = matcherOf(affinityOf(binding.spec.placement ?? {}, binding.status?.schedulerObservingAffinityName));
  const isAffected = (member: Member | undefined) => member !== undefined && matches(selectedCluster(member.cluster));
  if (!isChosen && !isAffected(before) && !isAffected(after)) return undefined;
  if (gainsKind(binding, before, after)) return 'api enabled';
  return isDivided(binding.spec) ? undefined : 'cluster';
}

/** All of a member that a schedule of the binding depends on: a heartbeat in its status is no change. */
function schedulingView({ spec }: Binding, member: Member | undefined) {
  if (!member) return undefined;
  const { cluster, federated, active } = member;
  const { taints = [], provider = '', region = '', zones = [] } = cluster.spec;
  const { labels = {} } = cluster.metadata;
  const isGoing = isLeaving(cluster);
  const isServed = servesKind(cluster, spec.resource);
  return { federated, active, labels, isGoing, taints, provider, region, zones, isServed };
}

/** A heartbeat: compared once for all bindings, whatever their kinds. */
export const isSameForAll = ({ before, after }: ClusterChange): boolean =>
  before !== undefined && after !== undefined && isDeepStrictEqual(allViews(before), allViews(after));

function allViews({ cluster, federated, active }: Member) {
  const { metadata, spec, status } = cluster;
  const { labels = {} } = metadata;
  return { federated, active, labels, spec, isGoing: isLeaving(cluster), enabled: status?.apiEnablements ?? [] };
}

/** The first discovery of a new cluster is part of its joining, which moves no divided replicas. */
const gainsKind = ({ spec }: Binding, before: Member | undefined, after: Member | undefined): boolean =>
  before !== undefined &&
  after !== undefined &&
  Boolean(before.cluster.status?.apiEnablements?.length) &&
  !servesKind(before.cluster, spec.resource) &&
  servesKind(after.cluster, spec.resource);
