/** One resource of one member, or of one of its namespaces, on its way into the cache: its shape is learnt, then it is filled. */

import type { FeedId, FeedSpec } from '@fleet/cache/messages.ts';
import { Backoff } from '@fleet/client/backoff.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { ClusterName } from '../target/target.ts';
import type { LearnGate } from './learn-gate.ts';
import { type ListShape, listShapeOf, requireWatch } from './list-shape.ts';

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

  constructor(options: CachedResourceOptions) {
    this.wanted = options.wanted;
    this.options = options;
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
      });
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
        this.shape = await this.learnt(signal);
        this.spec = specOf(this.wanted, this.shape);
        return onShape();
      } catch (error) {
        if (signal.aborted) return;
        this.failure = error;
        onError(error);
      }
      await backoff.wait(signal).catch(() => {});
    }
  }

  private async learnt(signal: AbortSignal): Promise<ListShape> {
    const { upstream, gate, wanted } = this.options;
    using _ = await gate.enter(wanted.cluster, signal);
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(deadline)]);
    const { shape, version } = await listShapeOf(upstream, this.path, inTime);
    if (!this.shape) await requireWatch(upstream, this.path, version, inTime);
    return shape;
  }
}

function specOf(wanted: WantedFeed, { itemsHaveKind }: ListShape): FeedSpec {
  const { id, cluster, group, version, resource, kind, namespaced } = wanted;
  return { id, cluster, group, version, resource, kind, namespaced, typeMetaInLists: itemsHaveKind };
}

function pathOf({ group, version, resource, namespace }: WantedFeed): string {
  const api = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === undefined ? `${api}/${resource}` : `${api}/namespaces/${namespace}/${resource}`;
}
