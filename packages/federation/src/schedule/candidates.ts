/** Which clusters a binding may be scheduled to, and why others are not available (FED-4). */

import { type ClusterAffinity, matcherOf, type SelectedCluster } from '@fleet/kube/selectors/cluster-affinity.ts';
import type { Binding } from '../api/bindings.ts';
import type { Placement } from '../api/policies.ts';
import { isLeaving } from '../members/leaving.ts';
import { byName, compareText } from './by-name.ts';
import { type ClusterTaint, taintText, untoleratedTaint } from './taints.ts';

/** A Cluster of `cluster.karmada.io/v1alpha1`, as far as scheduling reads it. */
export interface SchedulableCluster {
  metadata: {
    name: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    deletionTimestamp?: string;
  };
  spec: { taints?: ClusterTaint[]; provider?: string; region?: string; zones?: string[] };
  status?: { apiEnablements?: { groupVersion: string; resources?: { kind: string }[] }[] } | undefined;
}

/** A cluster of the fleet: `federated` takes part in federation, `active` is switched on. */
export interface Member {
  cluster: SchedulableCluster;
  federated: boolean;
  active: boolean;
}

export interface Rejection {
  name: string;
  reason: string;
  /** Whether the message of NoClusterFit counts the reason: clusters that take no part in scheduling have none there. */
  isCounted: boolean;
}

export interface Candidates {
  /** In the order of names. */
  candidates: SchedulableCluster[];
  rejections: Rejection[];
  /** Of clusters that take part in federation. */
  total: number;
}

export function candidatesOf(binding: Binding, members: readonly Member[]): Candidates {
  const filter = filterOf(binding);
  const candidates: SchedulableCluster[] = [];
  const rejections: Rejection[] = [];
  for (const member of members) {
    const { name } = member.cluster.metadata;
    const absence = absenceOf(member);
    const reason = absence ?? filter(member.cluster);
    if (reason === undefined) candidates.push(member.cluster);
    else rejections.push({ name, reason, isCounted: absence === undefined });
  }
  candidates.sort((left, right) => compareText(left.metadata.name, right.metadata.name));
  rejections.sort(byName);
  return { candidates, rejections, total: members.filter(({ federated }) => federated).length };
}

/** Why a cluster takes no part in scheduling at all. */
function absenceOf({ cluster, federated, active }: Member): string | undefined {
  if (!federated) return 'cluster is not federated';
  if (isLeaving(cluster)) return 'cluster is being deleted';
  return active ? undefined : 'cluster is not active';
}

/** Prepared once per binding: the reason why a cluster does not fit, undefined where it does. */
function filterOf({ spec, status }: Binding): (cluster: SchedulableCluster) => string | undefined {
  const placement = spec.placement ?? {};
  const matches = matcherOf(affinityOf(placement, status?.schedulerObservingAffinityName));
  const chosen = new Set(spec.clusters?.map(({ name }) => name));
  const evicted = new Set(spec.gracefulEvictionTasks?.map(({ fromCluster }) => fromCluster));
  return (cluster) => {
    const { name } = cluster.metadata;
    if (!matches(selectedCluster(cluster))) return 'cluster(s) did not match the placement cluster affinity constraint';
    // A missing API or a new taint does not remove the object from a cluster that has it: only an eviction does.
    if (!chosen.has(name)) {
      if (!servesKind(cluster, spec.resource)) return 'cluster(s) did not have the API resource';
      const taint = untoleratedTaint(cluster.spec.taints ?? [], placement.clusterTolerations ?? []);
      if (taint) return `cluster(s) had untolerated taint {${taintText(taint)}}`;
    }
    if (evicted.has(name)) return 'cluster(s) is in the process of eviction';
    const missing = missingProperty(cluster, placement);
    return missing && `cluster(s) did not have ${missing} property`;
  };
}

/** Of several terms the one that was used last, or else the first. */
export function affinityOf(
  { clusterAffinity, clusterAffinities }: Placement,
  observedName?: string,
): ClusterAffinity | undefined {
  if (clusterAffinity) return clusterAffinity;
  return clusterAffinities?.find(({ affinityName }) => affinityName === observedName) ?? clusterAffinities?.[0];
}

export const servesKind = (
  { status }: SchedulableCluster,
  { apiVersion, kind }: { apiVersion: string; kind: string },
): boolean =>
  (status?.apiEnablements ?? []).some(
    ({ groupVersion, resources }) => groupVersion === apiVersion && resources?.some((one) => one.kind === kind),
  );

/** The first property that a spread constraint needs and the cluster does not have. */
function missingProperty({ spec }: SchedulableCluster, { spreadConstraints = [] }: Placement): string | undefined {
  for (const { spreadByField } of spreadConstraints) {
    if (spreadByField === 'provider' && !spec.provider) return 'provider';
    if (spreadByField === 'region' && !spec.region) return 'region';
    if (spreadByField === 'zone' && !spec.zones?.length) return 'zones';
  }
  return undefined;
}

/** As affinities see a cluster. An empty property counts as absent. */
export const selectedCluster = ({ metadata, spec }: SchedulableCluster): SelectedCluster => ({
  name: metadata.name,
  labels: new Map(Object.entries(metadata.labels ?? {})),
  provider: spec.provider || undefined,
  region: spec.region || undefined,
  zones: spec.zones ?? [],
});

/** The message of NoClusterFit. Reasons are in the order of their texts with the count, as Karmada sorts them. */
export function noFitMessage({ rejections, total }: Pick<Candidates, 'rejections' | 'total'>): string {
  const counts = new Map<string, number>();
  for (const { reason, isCounted } of rejections) {
    if (isCounted) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = Array.from(counts, ([reason, count]) => `${count} ${reason}`).sort(compareText);
  return `0/${total} clusters are available: ${reasons.join(', ') || 'no cluster exists'}.`;
}
