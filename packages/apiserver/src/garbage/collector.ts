/**
 * The garbage collector: deletes dependents with their owners, as in kube-controller-manager.
 *
 *   background   the owner is deleted at once; dependents without another owner are deleted after it
 *   foreground   the owner waits, with a finalizer, for dependents that block its deletion
 *   orphan       the owner waits, with a finalizer, until no object refers to it as its owner
 *
 * Whether an owner is absent is always read from the store, never from the ownership graph, which may lag behind. Whether an owner
 * has dependents is read from the graph, and only once it has caught up with the store.
 */

import { isDeepStrictEqual } from 'node:util';
import { Pace } from '@fleet/client/pace.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import type { ServedResources } from '../http/served-resources.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../registry/kube-object.ts';
import { foregroundFinalizer, orphanFinalizer } from '../registry/metadata-rules.ts';
import { outlineInSlices } from '../registry/outline.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import { apiVersionOf, keyPrefix } from '../registry/resource-kind.ts';
import type { ObjectStore, StoreEvent } from '../store/object-store.ts';
import { ObjectFeed } from './object-feed.ts';
import { editOwners } from './owner-edits.ts';
import { type Dependent, type Item, itemOf, Ownership, prefixOf } from './ownership.ts';
import { deleteUnowned, isCode, read, removeFinalizer } from './single-object.ts';

export interface CollectorOptions {
  store: ObjectStore;
  resources: ServedResources;
  onError(error: unknown): void;
  retryMillis?: number;
}

type Task = Item & { does: 'own' | 'foreground' | 'orphan' };

const nameOf = (does: Task['does'], uid: string): string => `${does} ${uid}`;

/** `unknown`: its kind is not served at the moment. */
type OwnerState = 'solid' | 'waiting' | 'gone' | 'unknown';

const isDeletingDependents = ({ deletionTimestamp, finalizers = [] }: ObjectMeta): boolean =>
  deletionTimestamp !== undefined && finalizers.includes(foregroundFinalizer);

const workers = 4;
/** How many dependents are orphaned in one commit of the store. */
const atOnce = 100;
/** How many deleted owners are remembered. kube-controller-manager remembers 500. */
const mostGone = 10_000;

/** Its rejection is handled, even if nothing awaits it. */
function pending(): PromiseWithResolvers<void> {
  const synced = Promise.withResolvers<void>();
  synced.promise.catch(() => undefined);
  return synced;
}

export class GarbageCollector implements AsyncDisposable {
  readonly #store: ObjectStore;
  readonly #resources: ServedResources;
  readonly #ownership = new Ownership();
  /** Owners that wait for dependents, by uid. */
  readonly #waiting = new Map<string, Item>();
  /** Tasks that wait for a kind that is not served: their own, or an owner's. */
  readonly #unserved = new Map<string, Task>();
  /** The uids of owners whose deletion was seen. Their kind may be deleted, too, before their dependents are looked at. */
  readonly #gone = new Set<string>();
  /** While a snapshot is read: keys of dependents that have not occurred in it. */
  #unseen: Set<string> | undefined;
  #synced = pending();
  readonly #queue: WorkQueue<Task>;
  readonly #feed: ObjectFeed;
  readonly #changes: Disposable;

  constructor({ store, resources, onError, retryMillis = 1_000 }: CollectorOptions) {
    this.#store = store;
    this.#resources = resources;
    const work = (task: Task) => this.#work(task);
    const longestRetryMillis = 60 * retryMillis;
    this.#queue = new WorkQueue({ work, onError, retryMillis, longestRetryMillis, workers, pace: new Pace() });
    this.#feed = new ObjectFeed({
      store,
      prefix: '/registry/',
      onSnapshot: () => this.#begin(),
      onChange: (change) => this.#see(change),
      onSynced: () => this.#end(),
      onError,
      retryMillis,
    });
    this.#changes = resources.onChange(() => this.#retryUnserved());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#changes[Symbol.dispose]();
    const closed = this.#queue[Symbol.asyncDispose]();
    // Whatever still waits for the sync is ended, and does nothing.
    this.#synced.reject(new Error('the collector is closed'));
    await this.#feed[Symbol.asyncDispose]();
    await closed;
  }

  /** Nothing is collected until the snapshot is complete. */
  #begin(): void {
    if (!this.#unseen) this.#synced = pending();
    this.#unseen = new Set([...this.#ownership.all()].map(({ key }) => key));
  }

  #end(): void {
    for (const key of this.#unseen ?? []) this.#drop(this.#ownership.get(key)!);
    this.#unseen = undefined;
    // Owners may have been deleted while there was no watch.
    for (const dependent of this.#ownership.all()) this.#add('own', dependent);
    this.#synced.resolve();
  }

  async #see({ key, value, previous }: Pick<StoreEvent, 'key' | 'value' | 'previous'>): Promise<void> {
    const before = this.#ownership.get(key);
    this.#unseen?.delete(key);
    const bytes = bufferOf(value ?? previous!);
    // Most objects have no owner and are not being deleted: they are not even parsed.
    if (value && !before && !bytes.includes('"ownerReferences"') && !bytes.includes('"deletionTimestamp"')) return;
    const { metadata } = (await outlineInSlices(bytes)).object;
    const item = itemOf(key, metadata);
    if (before && before.uid !== item.uid) this.#drop(before);
    if (!value) return this.#drop({ ...item, owners: before?.owners ?? [] });
    this.#keep(item, metadata);
  }

  #keep(item: Item, metadata: ObjectMeta): void {
    const { ownerReferences = [], finalizers = [], deletionTimestamp } = metadata;
    const before = this.#ownership.get(item.key)?.owners ?? [];
    this.#ownership.set(item, ownerReferences);
    if (deletionTimestamp && finalizers.includes(orphanFinalizer)) this.#add('orphan', item);
    if (isDeletingDependents(metadata)) {
      this.#waiting.set(item.uid, item);
      this.#add('foreground', item);
    }
    if (isDeepStrictEqual(before, ownerReferences)) return;
    if (ownerReferences.length > 0) this.#add('own', item);
    this.#lookAtWaiting(before);
  }

  #drop({ key, uid, owners }: Dependent): void {
    this.#ownership.delete(key);
    this.#waiting.delete(uid);
    this.#unserved.delete(nameOf('own', uid));
    this.#lookAtWaiting(owners);
    const dependents = this.#ownership.dependentsOf(uid);
    if (dependents.length > 0) this.#remember(uid);
    for (const dependent of dependents) this.#add('own', dependent);
  }

  #remember(uid: string): void {
    this.#gone.add(uid);
    for (const oldest of this.#gone) {
      if (this.#gone.size <= mostGone) return;
      this.#gone.delete(oldest);
    }
  }

  /** Any of these owners may have waited for this dependent only. */
  #lookAtWaiting(owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) {
      const waiting = this.#waiting.get(uid);
      if (waiting) this.#add('foreground', waiting);
    }
  }

  /** The set of served kinds has changed. */
  #retryUnserved(): void {
    const tasks = [...this.#unserved];
    this.#unserved.clear();
    for (const [name, task] of tasks) this.#queue.add(name, task);
  }

  /** Done until the set of served kinds changes. */
  #waitForKinds(task: Task): true {
    this.#unserved.set(nameOf(task.does, task.uid), task);
    return true;
  }

  #add(does: Task['does'], item: Item): void {
    this.#queue.add(nameOf(does, item.uid), { ...item, does });
  }

  async #work(task: Task): Promise<boolean> {
    await this.#synced.promise;
    const registry = this.#registryAt(task);
    if (!registry) return this.#waitForKinds(task);
    const object = await read(registry, task);
    if (object?.metadata.uid !== task.uid) return true;
    try {
      const work = {
        own: () => this.#collect(registry, task, object),
        foreground: () => this.#finish(registry, task, object),
        orphan: () => this.#orphan(registry, task, object),
      };
      return await work[task.does]();
    } catch (error) {
      if (isCode(error, 404)) return true;
      // The object was changed meanwhile.
      if (isCode(error, 409)) return false;
      throw error;
    }
  }

  /** In the stored version, if several versions of a kind are served. */
  #registryAt(item: Item): ObjectRegistry | undefined {
    const prefix = prefixOf(item);
    const all = this.#resources.all.filter(({ printed }) => keyPrefix(printed) === prefix);
    return (all.find(({ printed }) => !printed.stored) ?? all[0])?.registry;
  }

  #registryOf({ apiVersion, kind }: OwnerReference): ObjectRegistry | undefined {
    return this.#resources.all.find(({ printed }) => printed.kind === kind && apiVersionOf(printed) === apiVersion)
      ?.registry;
  }

  /** Deletes an object without a remaining owner; removes references to deleted owners if it has others. */
  async #collect(registry: ObjectRegistry, item: Task, object: KubeObject): Promise<boolean> {
    const { ownerReferences = [], deletionTimestamp } = object.metadata;
    if (deletionTimestamp || ownerReferences.length === 0) return true;
    const states = await Promise.all(ownerReferences.map((owner) => this.#stateOf(owner, item)));
    if (states.includes('unknown')) return this.#waitForKinds(item);
    const lost = ownerReferences.filter((_, index) => states[index] !== 'solid').map(({ uid }) => uid);
    if (lost.length === 0) return true;
    if (lost.length < ownerReferences.length) {
      await editOwners(this.#store, item, (owners) => owners.filter(({ uid }) => !lost.includes(uid)));
      return true;
    }
    const dependents = states.includes('waiting') ? this.#ownership.dependentsOf(item.uid) : [];
    if (await this.#hasUnblocked(item, dependents)) return false;
    await deleteUnowned(registry, item, object, dependents.length > 0 ? 'Foreground' : undefined);
    return true;
  }

  async #stateOf(owner: OwnerReference, { namespace }: Item): Promise<OwnerState> {
    const registry = this.#registryOf(owner);
    if (!registry) return this.#gone.has(owner.uid) ? 'gone' : 'unknown';
    // The owner of a cluster-scoped object is in an unknown namespace.
    if (registry.kind.namespaced && !namespace) return 'solid';
    const place = registry.kind.namespaced ? namespace : undefined;
    const found = await read(registry, { namespace: place, name: owner.name });
    if (found?.metadata.uid !== owner.uid) return 'gone';
    return isDeletingDependents(found.metadata) ? 'waiting' : 'solid';
  }

  /** Breaks cycles: objects that own each other would wait for each other. Then the object has changed and is processed again. */
  async #hasUnblocked(item: Item, dependents: readonly Dependent[]): Promise<boolean> {
    const isBlocking = this.#ownership.get(item.key)?.owners.some(({ blockOwnerDeletion }) => blockOwnerDeletion);
    if (!isBlocking || !dependents.some(({ uid }) => this.#waiting.has(uid))) return false;
    await editOwners(this.#store, item, (owners) => owners.map((owner) => ({ ...owner, blockOwnerDeletion: false })));
    return true;
  }

  /** Removes the finalizer of an owner that nothing blocks any more; its dependents are handled first. */
  async #finish(registry: ObjectRegistry, item: Item, { metadata }: KubeObject): Promise<boolean> {
    if (!isDeletingDependents(metadata)) return true;
    await this.#feed.caughtUp();
    const dependents = this.#ownership.dependentsOf(item.uid);
    const blocks = ({ uid, blockOwnerDeletion }: OwnerReference) => uid === item.uid && blockOwnerDeletion;
    if (!dependents.some(({ owners }) => owners.some(blocks))) {
      await removeFinalizer(registry, item, foregroundFinalizer);
      return true;
    }
    for (const dependent of dependents) this.#add('own', dependent);
    return true;
  }

  async #orphan(registry: ObjectRegistry, item: Item, { metadata }: KubeObject): Promise<boolean> {
    if (!metadata.deletionTimestamp || !metadata.finalizers?.includes(orphanFinalizer)) return true;
    await this.#feed.caughtUp();
    const dependents = this.#ownership.dependentsOf(item.uid);
    for (let next = 0; next < dependents.length; next += atOnce)
      await Promise.all(
        dependents
          .slice(next, next + atOnce)
          .map((one) => editOwners(this.#store, one, (owners) => owners.filter(({ uid }) => uid !== item.uid))),
      );
    // There may be new ones.
    if (dependents.length > 0) await this.#feed.caughtUp();
    if (this.#ownership.dependentsOf(item.uid).length > 0) return false;
    await removeFinalizer(registry, item, orphanFinalizer);
    return true;
  }
}

const bufferOf = (value: Uint8Array): Buffer => Buffer.from(value.buffer, value.byteOffset, value.byteLength);
