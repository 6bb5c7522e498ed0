/** A registry's status, counted up resource by resource: whatever the size of the fleet, little is kept (CACHE-2). Pure. */

import { timeText } from '@fleet/kube/time-text.ts';
import type { ClusterName } from '../target/target.ts';
import type { FeedReport } from './feed-report.ts';
import type { RegistrySummary, ResourceSelector, ResourceStatus } from './resource-registry.ts';

/** One resource of one cluster that a registry wants. */
export interface RegisteredResource {
  cluster: ClusterName;
  group: string;
  version: string;
  resource: string;
  kind: string;
  namespace: string | undefined;
}

/** What is to be done about it comes first. */
export const reasons = ['MissingGrants', 'Full', 'Unreachable', 'InvalidAnswers', 'Filling', 'NotServed'] as const;
export type Reason = (typeof reasons)[number];

const reasonOf: Record<Exclude<FeedReport['is'], 'synced'>, Reason> = {
  'not-granted': 'MissingGrants',
  full: 'Full',
  unreachable: 'Unreachable',
  unreadable: 'InvalidAnswers',
  filling: 'Filling',
  'not-served': 'NotServed',
};

/** With more the synced ones are left out, and no more are shown than this. */
export const mostRows = 100;
/** In characters. Members write it. */
const longestError = 300;

export interface Rows {
  count: number;
  /** No more than can be shown. */
  first: ResourceStatus[];
}

export class RegistryTally {
  clusters = 0;
  synced = 0;
  objects = 0;
  bytes = 0;
  readonly byReason = new Map<Reason, Rows>(reasons.map((reason) => [reason, { count: 0, first: [] }]));
  /** Clusters of which resources are left out, with how many. */
  readonly omitted: { cluster: ClusterName; count: number }[] = [];
  /** Selectors, by how many clusters have nothing that matches. */
  readonly unmatched = new Map<ResourceSelector, number>();
  private readonly all: Rows = { count: 0, first: [] };
  private readonly resources = new Set<string>();

  add({ cluster, group, version, resource, kind, namespace }: RegisteredResource, report: FeedReport): void {
    const { is, objects, bytes, lastEvent, error } = report;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const reason = is === 'synced' ? undefined : reasonOf[is];
    this.resources.add(`${apiVersion}/${resource}`);
    this.objects += objects;
    this.bytes += bytes;
    this.addRow(reason, () => ({
      cluster,
      apiVersion,
      resource,
      kind,
      ...(namespace === undefined ? {} : { namespace }),
      synced: reason === undefined,
      ...(reason === undefined ? {} : { reason }),
      objects,
      bytes,
      ...(lastEvent === undefined ? {} : { lastEventTime: timeText(lastEvent) }),
      ...(reason === undefined || !error ? {} : { lastError: error.slice(0, longestError) }),
    }));
  }

  /** The cluster serves nothing of it, or nobody knows yet what it serves. */
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
      lastError: isKnown ? 'the cluster does not serve it' : 'what the cluster serves is not known yet',
    }));
  }

  /** Beyond what one registry may have of one cluster. */
  addOmitted(cluster: ClusterName, count: number): void {
    if (count > 0) this.omitted.push({ cluster, count });
  }

  count(reason: Reason): number {
    return this.byReason.get(reason)!.count;
  }

  /** Resources of clusters, without those that their cluster does not serve. */
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

  /** Of many resources few are shown: only their rows are made. */
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
