/** Computes a ResourceRegistry's status, and whether it differs enough from the current one to be written (CACHE-2). Pure. */

import { timeText } from '@fleet/kube/time-text.ts';
import type { ClusterName } from '../target/target.ts';
import { mostNamespaced, mostResources } from './bounded.ts';
import type { Reason, RegistryTally, Rows } from './registry-tally.ts';
import type {
  RegistryCondition,
  RegistryStatus,
  ResourceRegistry,
  ResourceSelector,
  ResourceStatus,
} from './resource-registry.ts';

export const syncedCondition = 'Synced';

export interface StatusContext {
  /** All kinds that are registered for a cluster, for `fleet join --cache-kinds`, as a join replaces earlier grants. */
  kindsOf(cluster: ClusterName): readonly string[];
  /** In milliseconds since 1970. */
  now: number;
}

export type CountedStatus = Required<RegistryStatus>;

type Verdict = Pick<RegistryCondition, 'status' | 'reason' | 'message'>;

/** Keeps conditions that others wrote. */
export function statusOf(registry: ResourceRegistry, tally: RegistryTally, context: StatusContext): CountedStatus {
  const known = registry.status?.conditions ?? [];
  const before = known.find(({ type }) => type === syncedCondition);
  const verdict = verdictOf(tally, context);
  const isSame = before?.status === verdict.status;
  const { generation } = registry.metadata;
  const condition: RegistryCondition = {
    type: syncedCondition,
    ...verdict,
    lastTransitionTime: isSame ? before.lastTransitionTime : timeText(context.now),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
  const others = known.filter(({ type }) => type !== syncedCondition);
  return { conditions: [...others, condition], summary: tally.summary, ...tally.rows };
}

function verdictOf(tally: RegistryTally, context: StatusContext): Verdict {
  const { synced, total, clusters, unmatched } = tally;
  if (clusters === 0)
    return { status: 'False', reason: 'NoClusters', message: 'spec.targetCluster selects no cluster' };
  const unserved = [...unmatched].flatMap(([selector, count]) => (count === clusters ? [selector] : []));
  const reason = problems.find((one) => tally.count(one) > 0) ?? (unserved.length > 0 ? 'NotServed' : tooMany(tally));
  const message = [
    `${synced} of ${total} synced.`,
    ...problems.flatMap((one) => problemText(one, tally.byReason.get(one)!, context)),
    ...notServedText(tally, unserved),
    ...omittedText(tally),
  ].join(' ');
  return { status: reason ? 'False' : 'True', reason: reason ?? 'AllSynced', message };
}

/** The most urgent first. NotServed is not among them: if some clusters lack a kind, there is nothing to cache. */
const problems: readonly Exclude<Reason, 'NotServed'>[] = [
  'MissingGrants',
  'Full',
  'Unreachable',
  'InvalidAnswers',
  'DisputedKind',
  'Filling',
];

function problemText(reason: Exclude<Reason, 'NotServed'>, rows: Rows, context: StatusContext): string[] {
  if (rows.count === 0) return [];
  const which = namesOf(rows);
  switch (reason) {
    case 'MissingGrants':
      return [`Not granted: ${which}. ${grantHint(rows.first[0]!.cluster, context)}`];
    case 'Full':
      return [`Does not fit into --cache-memory, and is read from the members: ${which}.`];
    case 'Unreachable':
      return [`Unreachable: ${which}.`];
    case 'InvalidAnswers':
      return [`Answers cannot be read: ${which}.`];
    case 'DisputedKind':
      return [`Not cached, as the control plane or more clusters serve it as another kind: ${which}.`];
    case 'Filling':
      return [`Filling: ${which}.`];
    default:
      return reason satisfies never;
  }
}

function notServedText({ clusters, byReason }: RegistryTally, unserved: readonly ResourceSelector[]): string[] {
  if (unserved.length > 0) {
    const kinds = unserved.map(({ apiVersion, kind }) => `${kind} of ${apiVersion}`);
    return [`Served by none of ${clusters} clusters: ${listed(kinds, kinds.length)}.`];
  }
  const rows = byReason.get('NotServed')!;
  return rows.count === 0 ? [] : [`Not served, and so left out: ${namesOf(rows)}.`];
}

const tooMany = ({ omitted }: RegistryTally): string | undefined =>
  omitted.length > 0 ? 'TooManyResources' : undefined;

function omittedText({ omitted }: RegistryTally): string[] {
  if (omitted.length === 0) return [];
  const names = omitted.map(({ cluster, count }) => `${count} of ${cluster}`);
  const most = `${mostResources} resources of a cluster at most, and ${mostNamespaced} with each namespace counted`;
  return [`Not cached, as a registry has ${most}: ${listed(names, names.length)}.`];
}

/** In characters: a longer command is of no help in a message. */
const longestKinds = 2_000;

function grantHint(cluster: ClusterName, { kindsOf }: StatusContext): string {
  const kinds = kindsOf(cluster).join(',');
  const all = kinds.length <= longestKinds ? kinds : 'KINDS (all that are registered)';
  return `"fleet join ${cluster} --kubeconfig FILE --cache-kinds ${all}" grants it.`;
}

const mostNames = 3;

const namesOf = ({ count, first }: Rows): string => listed(first.map(nameOf), count);

function listed(names: readonly string[], count: number): string {
  const shown = names.slice(0, mostNames);
  return `${shown.join(', ')}${count > shown.length ? ` and ${count - shown.length} more` : ''}`;
}

const nameOf = ({ cluster, resource, kind, namespace }: ResourceStatus): string =>
  `${cluster} ${resource ?? kind}${namespace === undefined ? '' : ` in ${namespace}`}`;

export type Difference = 'none' | 'counts' | 'material';

/** In milliseconds. If only times have changed, they are written this rarely, as kubelets do for an unchanged node. */
const longestUnwritten = 5 * 60_000;

/** Compares arrays of values, not JSON: servers do not keep the order of keys. */
export function differenceOf(known: RegistryStatus | undefined, next: CountedStatus): Difference {
  if (!known || !sameText(materialOf(known), materialOf(next))) return 'material';
  if (!sameText(countsOf(known), countsOf(next))) return 'counts';
  return newest(next) - newest(known) >= longestUnwritten ? 'counts' : 'none';
}

/** A status as text, without times. If two statuses have the same text, the second need not be written. */
export const comparedText = (status: RegistryStatus): string => JSON.stringify([materialOf(status), countsOf(status)]);

const sameText = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function materialOf({ conditions = [], summary, resources = [], omittedResources = 0 }: RegistryStatus): unknown {
  return [
    conditions.map(({ type, status, reason, message, observedGeneration }) => [
      type,
      status,
      reason,
      message,
      observedGeneration,
    ]),
    [summary?.clusters, summary?.resources, summary?.synced, summary?.total, summary?.notServed, omittedResources],
    resources.map(({ cluster, apiVersion, kind, resource, namespace, reason }) => [
      cluster,
      apiVersion,
      kind,
      resource,
      namespace,
      reason,
    ]),
  ];
}

const countsOf = ({ summary, resources = [] }: RegistryStatus): unknown => [
  [summary?.objects, summary?.bytes],
  resources.map(({ objects, bytes, lastError }) => [objects, bytes, lastError]),
];

const newest = ({ resources = [] }: RegistryStatus): number =>
  Math.max(0, ...resources.map(({ lastEventTime }) => (lastEventTime ? Date.parse(lastEventTime) : 0)));
