/** One resource of one member, or of one of its namespaces, on its way into the cache: its shape is learnt, then it is filled. */

import type { FeedId, FeedSpec } from '@fleet/cache/messages.ts';
import { Backoff } from '@fleet/client/backoff.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { ClusterName } from '../target/target.ts';
import type { LearnGate } from './learn-gate.ts';
import { type ListShape, listShapeOf, requireWatch } from './list-shape.ts';
import { selectableFieldsOf } from './selectable-fields.ts';

export interface WantedFeed {
  /** Unlike that of a later cluster of the same name. */
  id: FeedId;
  cluster: ClusterName;
  /** Which server it is of: never that of another under the cluster's name. */
  member: string;
  group: string;
  version: string;
  resource: string;
  kind: string;
  namespaced: boolean;
  /** Undefined: all namespaces, or a resource without. */
  namespace: string | undefined;
  /** Its managedFields are not kept (CACHE-6). */
  prunes?: boolean;
}

export interface CachedResourceOptions {
  wanted: WantedFeed;
  upstream: Upstream;
  gate: LearnGate;
  /** From now on it can be filled. */
  onShape(): void;
  onError(error: unknown): void;
}

/** For one list of a single object. */
const deadline = 10_000;

export class CachedResource implements Disposable {
  readonly wanted: WantedFeed;
  shape: ListShape | undefined;
  /** Undefined until its shape is known. The same object until it is learnt again. */
  spec: FeedSpec | undefined;
  /** Why its shape is not known yet. */
  failure: unknown;
  private readonly options: CachedResourceOptions;
  private readonly stopping = new AbortController();
  private isLearning = false;
  /** How often somebody has asked for it to be learnt, and which of these its fields are known since. */
  private asked = 0;
  private known = 0;

  constructor(options: CachedResourceOptions) {
    this.wanted = options.wanted;
    this.options = options;
    this.learnAgain();
  }

  /** Whether the fields that it can be selected by are those of now, as far as anybody has noticed (CACHE-14). */
  get areFieldsKnown(): boolean {
    return this.known === this.asked;
  }

  /** Whether a feed is filled with just these; else one that is takes its place in a moment. */
  hasFieldsOf({ selectableFields }: FeedSpec): boolean {
    return selectableFields?.join() === this.spec?.selectableFields?.join();
  }

  /** What a custom resource can be selected by may have changed. Until it is known such selectors go live. */
  checkFields(): void {
    if (!this.mayBeCustom) return;
    this.asked++;
    this.learnAgain();
  }

  /** Its shape was guessed, and there are objects to learn it from now. */
  learnAgain(): void {
    if (this.isLearning) return;
    this.isLearning = true;
    this.learn()
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted) this.options.onError(error);
      })
      .finally(() => {
        this.isLearning = false;
        // Somebody has asked while the last of it was being done.
        if (!this.areFieldsKnown && !this.stopping.signal.aborted) this.learnAgain();
      });
  }

  private get mayBeCustom(): boolean {
    return this.shape !== undefined && mayBeCustom(this.shape, this.wanted);
  }

  get path(): string {
    return pathOf(this.wanted);
  }

  get apiVersion(): string {
    const { group, version } = this.wanted;
    return group === '' ? version : `${group}/${version}`;
  }

  [Symbol.dispose](): void {
    this.stopping.abort(new Error('it is no longer registered'));
  }

  private async learn(): Promise<void> {
    const { onShape, onError } = this.options;
    const { signal } = this.stopping;
    const backoff = new Backoff();
    while (!signal.aborted) {
      try {
        const { asked } = this;
        const { shape, fields } = await this.learnt(signal);
        this.shape = shape;
        this.spec = specOf(this.wanted, shape, fields);
        this.known = asked;
        onShape();
        if (this.areFieldsKnown) return;
      } catch (error) {
        if (signal.aborted) return;
        this.failure = error;
        onError(error);
      }
      await backoff.wait(signal).catch(() => {});
    }
  }

  private async learnt(signal: AbortSignal): Promise<{ shape: ListShape; fields: readonly string[] }> {
    const { upstream, gate, wanted } = this.options;
    using _ = await gate.enter(wanted.cluster, signal);
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(deadline)]);
    const { shape, version } = await listShapeOf(upstream, this.path, inTime);
    if (!this.shape) await requireWatch(upstream, this.path, version, inTime);
    return { shape, fields: mayBeCustom(shape, wanted) ? await this.fields(inTime) : [] };
  }

  /** A member that cannot be asked for them at first is cached all the same: such selectors go live. */
  private async fields(signal: AbortSignal): Promise<readonly string[]> {
    const { upstream, wanted, onError } = this.options;
    const namespace = wanted.namespaced ? (wanted.namespace ?? 'default') : undefined;
    try {
      return await selectableFieldsOf(upstream, { ...wanted, namespace }, signal);
    } catch (error) {
      if (signal.aborted || this.spec) throw error;
      onError(error);
      return [];
    }
  }
}

/** Of an empty list little is known: Kubernetes' own groups have no dot, or are below its own domain. */
const mayBeCustom = ({ endsWithVersion, itemsHaveKind, isGuessed }: ListShape, { group }: WantedFeed): boolean =>
  endsWithVersion || itemsHaveKind || (isGuessed && group.includes('.') && !group.endsWith('.k8s.io'));

function specOf(wanted: WantedFeed, { itemsHaveKind }: ListShape, selectableFields: readonly string[]): FeedSpec {
  const { id, cluster, group, version, resource, kind, namespaced, prunes } = wanted;
  return {
    ...{ id, cluster, group, version, resource, kind, namespaced },
    typeMetaInLists: itemsHaveKind,
    ...(selectableFields.length > 0 ? { selectableFields } : {}),
    ...(prunes ? { prunesManagedFields: true } : {}),
  };
}

function pathOf({ group, version, resource, namespace }: WantedFeed): string {
  const api = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === undefined ? `${api}/${resource}` : `${api}/namespaces/${namespace}/${resource}`;
}
