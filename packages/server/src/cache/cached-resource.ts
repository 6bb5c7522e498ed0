/** One registered resource of one member. Before it can be filled, it learns the format of the member's lists and the selectable fields. */

import type { FeedId, FeedSpec } from '@fleet/cache/messages.ts';
import { Backoff } from '@fleet/client/backoff.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { isNamespaceName } from '../registries/resource-registry.ts';
import type { ClusterName } from '../target/target.ts';
import type { LearnGate } from './learn-gate.ts';
import { type ListShape, listShapeOf, requireWatch } from './list-shape.ts';
import { selectableFieldsOf } from './selectable-fields.ts';

export interface RegisteredFeed {
  /** Not reused by a later cluster of the same name. */
  id: FeedId;
  cluster: ClusterName;
  /** Identifies the API server, also if another cluster gets the same name later. */
  member: string;
  group: string;
  version: string;
  resource: string;
  kind: string;
  namespaced: boolean;
  /** Undefined: all namespaces, or a cluster-scoped resource. */
  namespace: string | undefined;
  /** Its managedFields are not kept (CACHE-6). */
  prunesManagedFields?: boolean;
}

export interface CachedResourceOptions {
  registered: RegisteredFeed;
  upstream: Upstream;
  gate: LearnGate;
  /** The spec of its feed is known, or has changed: it can be filled. */
  onShape(): void;
  onError(error: unknown): void;
}

/** In milliseconds, for all requests of one attempt. */
const deadline = 10_000;

export class CachedResource implements Disposable {
  readonly registered: RegisteredFeed;
  shape: ListShape | undefined;
  /** Undefined until its shape is known. The same object until it is learnt again: the shard compares by identity. */
  spec: FeedSpec | undefined;
  /** Why its shape is not known yet. */
  failure: unknown;
  private readonly options: CachedResourceOptions;
  private readonly stopping = new AbortController();
  private isLearning = false;
  /** How often the selectable fields may have changed, and the value of that counter when they were last read. */
  private fieldChanges = 0;
  private readFieldChanges = 0;

  constructor(options: CachedResourceOptions) {
    this.registered = options.registered;
    this.options = options;
    this.learnAgain();
  }

  /** Whether its selectable fields are up to date, as far as changes were noticed (CACHE-14). */
  get areFieldsKnown(): boolean {
    return this.readFieldChanges === this.fieldChanges;
  }

  /** Whether a feed has the fields of the current spec; if not, it is about to be replaced. */
  hasFieldsOf({ selectableFields }: FeedSpec): boolean {
    return selectableFields?.join() === this.spec?.selectableFields?.join();
  }

  /** Called when the selectable fields may have changed. Until they are read again, selectors on them go live. */
  checkFields(): void {
    if (!this.canBeCustom) return;
    this.fieldChanges++;
    this.learnAgain();
  }

  /** Also called when its shape was guessed from an empty list, and there are objects now. */
  learnAgain(): void {
    if (this.isLearning) return;
    this.isLearning = true;
    this.learn()
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted) this.options.onError(error);
      })
      .finally(() => {
        this.isLearning = false;
        // The fields may have changed during the last attempt.
        if (!this.areFieldsKnown && !this.stopping.signal.aborted) this.learnAgain();
      });
  }

  private get canBeCustom(): boolean {
    return this.shape !== undefined && canBeCustom(this.shape, this.registered);
  }

  get path(): string {
    return pathOf(this.registered);
  }

  get apiVersion(): string {
    const { group, version } = this.registered;
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
        const { fieldChanges } = this;
        const { shape, fields } = await this.learnt(signal);
        this.shape = shape;
        this.spec = specOf(this.registered, shape, fields);
        this.readFieldChanges = fieldChanges;
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
    const { upstream, gate, registered } = this.options;
    using _ = await gate.enter(registered.cluster, signal);
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(deadline)]);
    const { shape, version } = await listShapeOf(upstream, this.path, inTime);
    if (!this.shape) await requireWatch(upstream, this.path, version, inTime);
    return { shape, fields: canBeCustom(shape, registered) ? await this.fields(inTime) : [] };
  }

  /** If they cannot be read the first time, the resource is cached without them: selectors on them go live. */
  private async fields(signal: AbortSignal): Promise<readonly string[]> {
    const { upstream, registered, onError } = this.options;
    const namespace = registered.namespaced ? (registered.namespace ?? 'default') : undefined;
    try {
      return await selectableFieldsOf(upstream, { ...registered, namespace }, signal);
    } catch (error) {
      if (signal.aborted || this.spec) throw error;
      onError(error);
      return [];
    }
  }
}

/** An empty list does not show whether items have a kind. Then the group decides: built-in ones have no dot, or end with `.k8s.io`. */
const canBeCustom = ({ endsWithVersion, itemsHaveKind, isGuessed }: ListShape, { group }: RegisteredFeed): boolean =>
  endsWithVersion || itemsHaveKind || (isGuessed && group.includes('.') && !group.endsWith('.k8s.io'));

function specOf(
  registered: RegisteredFeed,
  { itemsHaveKind }: ListShape,
  selectableFields: readonly string[],
): FeedSpec {
  const { id, cluster, group, version, resource, kind, namespaced, prunesManagedFields } = registered;
  return {
    ...{ id, cluster, group, version, resource, kind, namespaced },
    typeMetaInLists: itemsHaveKind,
    ...(selectableFields.length > 0 ? { selectableFields } : {}),
    ...(prunesManagedFields ? { prunesManagedFields } : {}),
  };
}

/** Throws rather than ask for anything else: registries name the namespace, and the request is sent with the product's credential. */
function pathOf({ group, version, resource, namespace }: RegisteredFeed): string {
  const segments = namespace === undefined ? [resource] : ['namespaces', namespace, resource];
  const api = group === '' ? ['api', version] : ['apis', group, version];
  if (namespace !== undefined && !isNamespaceName(namespace)) throw new Error('its namespace is not a valid name');
  return `/${[...api, ...segments].map(encodeURIComponent).join('/')}`;
}
