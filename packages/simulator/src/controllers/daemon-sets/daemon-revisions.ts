/** The history of a DaemonSet: one ControllerRevision for each template that it had. */

import type { Informer } from '@fleet/client/informer.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import { controllerRef, pathOf } from '../shared/controller-ref.ts';
import {
  byRevisionNumber,
  type ControllerRevision,
  dataText,
  revisionData,
  revisionPaths,
} from '../shared/controller-revision.ts';
import { templateHash } from '../shared/pod-template.ts';
import type { Reconciler } from '../shared/reconciler.ts';
import { type DaemonSet, daemonSets, hashLabel } from './daemon-set.ts';

export interface DaemonHistory {
  current: ControllerRevision;
  old: ControllerRevision[];
}

export const newDaemonRevision = (set: DaemonSet, revision: number): ControllerRevision => {
  const { metadata, spec, status } = set;
  const hash = templateHash(spec.template, status?.collisionCount);
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${metadata.name}-${hash}`,
      namespace: metadata.namespace!,
      labels: { ...spec.template.metadata?.labels, [hashLabel]: hash },
      ...(metadata.annotations ? { annotations: metadata.annotations } : {}),
      ownerReferences: [controllerRef(daemonSets, set)],
    },
    data: revisionData(spec.template),
    revision,
  };
};

export const revisionHash = ({ metadata }: ControllerRevision): string => metadata.labels?.[hashLabel] ?? metadata.name;

export class DaemonRevisions {
  readonly #reconciler: Reconciler;
  readonly #revisions: Informer<ControllerRevision>;

  constructor(reconciler: Reconciler, revisions: Informer<ControllerRevision>) {
    this.#reconciler = reconciler;
    this.#revisions = revisions;
  }

  /** The revision of the current template, created or renumbered as the newest if necessary. */
  async construct(key: string, set: DaemonSet, known: readonly ControllerRevision[]): Promise<DaemonHistory> {
    const { client, signal } = this.#reconciler.parts;
    const text = dataText(revisionData(set.spec.template));
    const same = known.filter(({ data }) => dataText(data) === text).sort(byRevisionNumber);
    const old = known.filter((one) => !same.includes(one)).sort(byRevisionNumber);
    const number = (old.at(-1)?.revision ?? 0) + 1;
    const current = same.at(-1);
    if (!current) return { current: await this.#create(key, set, number), old };
    for (const double of same.slice(0, -1)) await this.delete(key, double);
    if (current.revision >= number) return { current, old };
    const path = pathOf(revisionPaths, set.metadata, current.metadata.name);
    const body = { ...current, apiVersion: 'apps/v1', kind: 'ControllerRevision', revision: number };
    const updated = await client.replace<ControllerRevision>(path, body, signal);
    this.#reconciler.expectations.wrote(key, this.#revisions, updated);
    return { current: updated, old };
  }

  async #create(key: string, set: DaemonSet, number: number): Promise<ControllerRevision> {
    const { client, signal } = this.#reconciler.parts;
    const revision = newDaemonRevision(set, number);
    try {
      const created = await client.create<ControllerRevision>(pathOf(revisionPaths, set.metadata), revision, signal);
      this.#reconciler.expectations.wrote(key, this.#revisions, created);
      return created;
    } catch (error) {
      if (!isStatus(error, 409) || error.reason !== 'AlreadyExists') throw error;
      const path = pathOf(revisionPaths, set.metadata, revision.metadata.name);
      const existing = await client.get<ControllerRevision>(path, signal);
      if (dataText(existing.data) === dataText(revision.data)) return existing;
      // Another template has the same hash: the next sync uses another collision count.
      const { apiVersion, kind } = daemonSets;
      const status = { ...set.status, collisionCount: (set.status?.collisionCount ?? 0) + 1 };
      const statusPath = `${pathOf(daemonSets, set.metadata, set.metadata.name)}/status`;
      await client.replace(statusPath, { ...set, apiVersion, kind, status }, signal);
      throw error;
    }
  }

  /** Deletes the oldest revisions in excess of the limit, except those that a pod still has. */
  async cleanUp(
    key: string,
    set: DaemonSet,
    old: readonly ControllerRevision[],
    live: ReadonlySet<string>,
  ): Promise<void> {
    const excess = old.length - (set.spec.revisionHistoryLimit ?? 10);
    const dead = old.filter((revision) => !live.has(revisionHash(revision)));
    for (const revision of dead.slice(0, Math.max(0, excess))) await this.delete(key, revision);
  }

  async delete(key: string, revision: ControllerRevision): Promise<void> {
    const { client, signal } = this.#reconciler.parts;
    await client.delete(pathOf(revisionPaths, revision.metadata, revision.metadata.name), undefined, signal);
    this.#reconciler.expectations.deleted(key, this.#revisions, revision);
  }
}
