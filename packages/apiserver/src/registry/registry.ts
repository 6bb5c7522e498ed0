/** The verbs of one resource over the store, like kube-apiserver's generic registry. */

import { notFound, StatusError } from '@fleet/kube/status.ts';
import type { Entry, ObjectStore } from '../store/object-store.ts';
import { type Looking, looksAtFields, looksAtLabels, looksAtNothing } from '../watch-cache/shared-event.ts';
import { WatchCache } from '../watch-cache/watch-cache.ts';
import type { Watched } from '../watch-cache/watcher.ts';
import { converted } from './converted-store.ts';
import { createObject } from './create.ts';
import { type Deleted, type DeleteOptions, deleteObject } from './delete.ts';
import { deleteListed } from './delete-listed.ts';
import type { KubeObject } from './kube-object.ts';
import {
  type List,
  type ListOptions,
  listObjects,
  looksFurther,
  parseVersion,
  refuseOlder,
  type Selection,
  selects,
} from './list.ts';
import {
  asStatusErrors,
  keyOf,
  type ResourceContext,
  refuseLarger,
  type Where,
  type WriteHooks,
  type WriteOptions,
} from './resource-context.ts';
import { keyPrefix, type ResourceKind } from './resource-kind.ts';
import { ShownObject } from './stored-object.ts';
import { type Change, type Updated, type UpdateOptions, updateObject } from './update.ts';

export interface WatchOptions extends Where, Selection {
  resourceVersion?: string | undefined;
  /** Starts with the initial list. Without a resourceVersion this is the default. */
  sendInitialEvents?: boolean | undefined;
  allowWatchBookmarks: boolean;
  signal: AbortSignal;
}

function lookingOf({ labels, fields = [] }: Selection): Looking {
  if (looksFurther(fields)) return looksAtFields;
  return labels || fields.length > 0 ? looksAtLabels : looksAtNothing;
}

/** The interface of a registry: objects need not be in a store. */
export type ObjectRegistry = Pick<Registry, keyof Registry>;

export class Registry implements AsyncDisposable {
  readonly kind: ResourceKind;
  readonly #context: ResourceContext;
  readonly #cache: WatchCache | undefined;

  private constructor(context: ResourceContext, cache?: WatchCache) {
    this.kind = context.kind;
    this.#context = context;
    this.#cache = cache;
  }

  static async open(
    store: ObjectStore,
    kind: ResourceKind,
    now: () => number = Date.now,
    hooks: WriteHooks = {},
  ): Promise<Registry> {
    const kept = kind.stored ? converted(store, kind.stored) : store;
    const cache = new WatchCache({
      store: kept,
      prefix: keyPrefix(kind),
      read: (key, value, revision) => new ShownObject(kind, key, value, revision),
    });
    return new Registry({ ...hooks, kind, store: kept, now }, cache);
  }

  /** A registry without watches, which costs nothing. */
  static unwatched(store: ObjectStore, kind: ResourceKind, hooks: WriteHooks = {}): Registry {
    return new Registry({ ...hooks, kind, store: kind.stored ? converted(store, kind.stored) : store, now: Date.now });
  }

  create(object: KubeObject, options: WriteOptions = {}): Promise<KubeObject> {
    return createObject(this.#context, object, options);
  }

  /** Not older than a version, if one is given. */
  async get(
    name: string,
    { resourceVersion = '', ...where }: Where & { resourceVersion?: string } = {},
  ): Promise<Entry> {
    const { entry, revision } = await asStatusErrors(this.#context.store.get(keyOf(this.#context, where, name)));
    refuseOlder(this.kind, parseVersion(resourceVersion), revision);
    if (!entry) throw notFound(this.kind, name);
    return entry;
  }

  list(options: ListOptions = {}): Promise<List> {
    return listObjects(this.#context, options);
  }

  watch({
    namespace,
    resourceVersion = '',
    sendInitialEvents,
    allowWatchBookmarks,
    signal,
    ...selection
  }: WatchOptions): Watched {
    const version = parseVersion(resourceVersion, (why) => new StatusError(500, '', why));
    const state = { state: sendInitialEvents && allowWatchBookmarks ? ('bookmarked' as const) : ('plain' as const) };
    if (!this.#cache) throw new Error(`${this.kind.resource} cannot be watched here`);
    return this.#cache.watch({
      prefix: keyPrefix(this.kind, this.kind.namespaced ? namespace : undefined),
      from: (sendInitialEvents ?? version === 0) ? state : { after: version || 'now' },
      selects: selects(selection),
      looking: lookingOf(selection),
      bookmarks: allowWatchBookmarks,
      signal,
    });
  }

  update(name: string, options: UpdateOptions, change: Change): Promise<Updated> {
    return updateObject(this.#context, name, options, change);
  }

  delete(name: string, options: DeleteOptions = {}): Promise<Deleted> {
    return deleteObject(this.#context, name, options);
  }

  /** Throws if the deletion is not allowed. For deletions that are carried out by other code. */
  async admitDeletion(name: string): Promise<void> {
    await this.#context.admitDeletion?.(name);
  }

  /** `admit` throws if the listed objects must not be deleted after all. */
  async deleteCollection(list: ListOptions, options: DeleteOptions, admit?: () => Promise<void>): Promise<List> {
    const found = await this.list(list);
    if (found.entries.length > 0) await admit?.();
    for (const entry of found.entries) refuseLarger(entry, list);
    await deleteListed(this.#context, found.entries, options);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cache?.[Symbol.asyncDispose]();
  }
}
