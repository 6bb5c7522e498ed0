/** Counts up a registry's status resource by resource, in bounded memory for a fleet of any size (CACHE-2). Pure. */

import { timeText } from '@fleet/kube/time-text.ts';
import type { ClusterName } from '../target/target.ts';
import type { FeedReport } from './feed-report.ts';
import {
  isValidSelector,
  type RegistrySummary,
  type ResourceSelector,
  type ResourceStatus,
} from './resource-registry.ts';

/** One resource of one cluster that a registry selects. */
export interface RegisteredResource {
  cluster: ClusterName;
  group: string;
  version: string;
  resource: string;
  kind: string;
  namespace: string | undefined;
}

/** Those that need action come first. */
export const reasons = [
  'MissingGrants',
  'Full',
  'Unreachable',
  'InvalidAnswers',
  'DisputedKind',
  'Filling',
  'NotServed',
] as const;
export type Reason = (typeof reasons)[number];

const reasonOf: Record<Exclude<FeedReport['is'], 'synced'>, Reason> = {
  'not-granted': 'MissingGrants',
  full: 'Full',
  unreachable: 'Unreachable',
  unreadable: 'InvalidAnswers',
  filling: 'Filling',
  'not-served': 'NotServed',
};

/** The most rows in a status. With more resources, synced ones are left out first. */
export const mostRows = 100;
/** In characters. Limited, as the text comes from members: a status that is too large is refused, and would never change again. */
const [longestName, longestError] = [63, 300];

/** Well-formed, as the control plane keeps it: otherwise each comparison would find a difference. */
const cut = (text: string, longest: number): string => text.slice(0, longest).toWellFormed();
const named = ({ resource, kind }: RegisteredResource) => ({
  resource: cut(resource, longestName),
  kind: cut(kind, longestName),
});

function whyUnmatched(selector: ResourceSelector, isKnown: boolean): string {
  if (!isValidSelector(selector)) return 'its apiVersion or namespace is not valid';
  return isKnown ? 'the cluster does not serve it' : 'what the cluster serves is not known yet';
}

export interface Rows {
  count: number;
  /** Up to `mostRows`. */
  first: ResourceStatus[];
}

export class RegistryTally {
  clusters = 0;
  synced = 0;
  objects = 0;
  bytes = 0;
  readonly byReason = new Map<Reason, Rows>(reasons.map((reason) => [reason, { count: 0, first: [] }]));
  /** How many resources are left out, per cluster. */
  readonly omitted: { cluster: ClusterName; count: number }[] = [];
  /** Per selector, how many clusters serve nothing that matches. */
  readonly unmatched = new Map<ResourceSelector, number>();
  private readonly all: Rows = { count: 0, first: [] };
  private readonly resources = new Set<string>();

  add(one: RegisteredResource, report: FeedReport): void {
    const { cluster, group, version, resource, namespace } = one;
    const { is, objects, bytes, lastEvent, error } = report;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const reason = is === 'synced' ? undefined : reasonOf[is];
    this.resources.add(`${apiVersion}/${resource}`);
    this.objects += objects;
    this.bytes += bytes;
    this.addRow(reason, () => ({
      cluster,
      apiVersion,
      ...named(one),
      ...(namespace === undefined ? {} : { namespace }),
      synced: reason === undefined,
      ...(reason === undefined ? {} : { reason }),
      objects,
      bytes,
      ...(lastEvent === undefined ? {} : { lastEventTime: timeText(lastEvent) }),
      ...(reason === undefined || !error ? {} : { lastError: cut(error, longestError) }),
    }));
  }

  /** The cluster describes the resource as of this kind, and the control plane or more clusters as of another: it is not cached. */
  addDisputed(one: RegisteredResource): void {
    const { cluster, group, version, resource, namespace } = one;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    this.resources.add(`${apiVersion}/${resource}`);
    this.addRow('DisputedKind', () => ({
      cluster,
      apiVersion,
      ...named(one),
      ...(namespace === undefined ? {} : { namespace }),
      synced: false,
      reason: 'DisputedKind',
      objects: 0,
      bytes: 0,
      lastError: 'the control plane or more clusters serve it as another kind',
    }));
  }

  /** The cluster serves nothing that matches; `isKnown` false: its discovery was not read yet. */
  addUnmatched(cluster: ClusterName, selector: ResourceSelector, isKnown: boolean): void {
    const { apiVersion, kind, namespace } = selector;
    const reason = isKnown ? 'NotServed' : 'Filling';
    if (isKnown) this.unmatched.set(selector, (this.unmatched.get(selector) ?? 0) + 1);
    this.addRow(reason, () => ({
      cluster,
      apiVersion,
      kind,
      ...(namespace ? { namespace } : {}),
      synced: false,
      reason,
      objects: 0,
      bytes: 0,
      lastError: whyUnmatched(selector, isKnown),
    }));
  }

  /** Resources beyond the limit of one registry in one cluster. */
  addOmitted(cluster: ClusterName, count: number): void {
    if (count > 0) this.omitted.push({ cluster, count });
  }

  count(reason: Reason): number {
    return this.byReason.get(reason)!.count;
  }

  /** Counts one per resource and cluster, without those that the cluster does not serve. */
  get total(): number {
    return this.all.count - this.count('NotServed');
  }

  get summary(): RegistrySummary {
    const { clusters, synced, total, objects, bytes } = this;
    const [resources, notServed] = [this.resources.size, this.count('NotServed')];
    return { clusters, resources, synced, total, progress: `${synced}/${total}`, notServed, objects, bytes };
  }

  get rows(): { resources: ResourceStatus[]; omittedResources: number } {
    const { count, first } = this.all;
    const shown = count <= mostRows ? first : reasons.flatMap((reason) => this.byReason.get(reason)!.first);
    const resources = shown.slice(0, mostRows);
    return { resources, omittedResources: count - resources.length };
  }

  /** `make` is called only for rows that can be shown: few of many. */
  private addRow(reason: Reason | undefined, make: () => ResourceStatus): void {
    const shown = [this.all, ...(reason === undefined ? [] : [this.byReason.get(reason)!])];
    if (reason === undefined) this.synced++;
    for (const rows of shown) rows.count++;
    const open = shown.filter(({ first }) => first.length < mostRows);
    if (open.length === 0) return;
    const row = make();
    for (const { first } of open) first.push(row);
  }
}
