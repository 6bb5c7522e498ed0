/**
 * The garbage collector: what is owned goes with its owners, as kube-controller-manager's does it.
 *
 *   background   the owner goes at once; dependents that have no owner left are deleted behind it
 *   foreground   the owner waits, with a finalizer, for dependents that block its deletion
 *   orphan       the owner waits, with a finalizer, until nothing names it as its owner any more
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { StatusError } from '@fleet/kube/status.ts';
import type { ServedResources } from '../http/served-resources.ts';
import type { DeleteOptions } from '../registry/delete.ts';
import type { KubeObject, OwnerReference } from '../registry/kube-object.ts';
import { foregroundFinalizer, orphanFinalizer } from '../registry/metadata-rules.ts';
import { outlineInSlices } from '../registry/outline.ts';
import type { Registry } from '../registry/registry.ts';
import { apiVersionOf, keyPrefix } from '../registry/resource-kind.ts';
import { decodeObject } from '../registry/stored-object.ts';
import type { Form } from '../watch-cache/shared-event.ts';
import { Pace } from '../work/pace.ts';
import { WorkQueue } from '../work/work-queue.ts';
import { type Item, itemOf, Ownership } from './ownership.ts';

export interface CollectorOptions {
  resources: ServedResources;
  onError(error: unknown): void;
  retryMillis?: number;
}

/** The object as it is. */
const plain: Form = { name: 'garbage', event: (_, object) => object, bookmark: () => Buffer.alloc(0) };

type Task = Item & { does: 'own' | 'foreground' | 'orphan' };

const isGone = (error: unknown): boolean => error instanceof StatusError && error.code === 404;
/** Somebody changed it meanwhile: that is an event of its own. */
const isStale = (error: unknown): boolean => error instanceof StatusError && error.code === 409;

export class GarbageCollector implements AsyncDisposable {
  readonly #options: Required<CollectorOptions>;
  readonly #ownership = new Ownership();
  readonly #queue: WorkQueue<Task>;
  readonly #ending = new AbortController();
  readonly #watched = new Map<Registry, Promise<void>>();
  readonly #changes: Disposable;

  constructor(options: CollectorOptions) {
    this.#options = { retryMillis: 1_000, ...options };
    const { onError, retryMillis } = this.#options;
    const work = async (task: Task) => {
      await this.#do(task);
      return true;
    };
    this.#queue = new WorkQueue({ work, onError, retryMillis });
    this.#changes = options.resources.onChange(() => this.#watchNew());
    this.#watchNew();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#changes[Symbol.dispose]();
    this.#ending.abort();
    await this.#queue.close();
    await Promise.all(this.#watched.values());
  }

  #watchNew(): void {
    const watched = new Set([...this.#watched.keys()].map(({ kind }) => keyPrefix(kind)));
    // One of several versions is enough: the one that is kept, if any is shown as it is kept.
    const all = this.#options.resources.all.map(({ registry }) => registry);
    for (const registry of [...all.filter(({ kind }) => !kind.stored), ...all.filter(({ kind }) => kind.stored)]) {
      const prefix = keyPrefix(registry.kind);
      if (watched.has(prefix)) continue;
      watched.add(prefix);
      this.#watched.set(registry, this.#watch(registry));
    }
  }

  async #watch(registry: Registry): Promise<void> {
    const { signal } = this.#ending;
    const isServed = () => this.#options.resources.all.some((one) => one.registry === registry);
    while (!signal.aborted && isServed()) {
      const pace = new Pace();
      try {
        for await (const event of registry.watch({ allowWatchBookmarks: false, signal })) {
          if (pace.isDue) await pace.rest();
          await this.#see(registry, event.type === 'DELETED', Buffer.from(event.in(plain)));
        }
      } catch (error) {
        if (!signal.aborted) this.#options.onError(error);
      }
      this.#ownership.forget(registry);
      if (!signal.aborted && isServed())
        await sleep(this.#options.retryMillis, undefined, { signal, ref: false }).catch(() => undefined);
    }
    this.#watched.delete(registry);
    // Another may have come in its place.
    if (!signal.aborted) this.#watchNew();
  }

  async #see(registry: Registry, isDeleted: boolean, bytes: Buffer): Promise<void> {
    // Most objects are neither owned nor going: they are not even read.
    if (!isDeleted && !bytes.includes('"ownerReferences"') && !bytes.includes('"deletionTimestamp"')) return;
    const { object } = await outlineInSlices(bytes);
    const { uid, ownerReferences = [], finalizers = [], deletionTimestamp } = object.metadata;
    if (isDeleted) {
      for (const owner of this.#ownership.delete(uid!)) this.#look(object, owner);
      for (const dependent of this.#ownership.dependentsOf(uid!)) this.#add('own', dependent);
      return;
    }
    this.#ownership.set(registry, object);
    const item = itemOf(registry, object);
    if (deletionTimestamp && finalizers.includes(orphanFinalizer)) this.#add('orphan', item);
    if (deletionTimestamp && finalizers.includes(foregroundFinalizer)) this.#add('foreground', item);
    if (ownerReferences.length > 0) this.#add('own', item);
  }

  #add(does: Task['does'], item: Item): void {
    this.#queue.add(`${does} ${item.uid}`, { ...item, does });
  }

  /** An owner may have waited for this one. */
  #look({ metadata: { namespace } }: KubeObject, owner: OwnerReference): void {
    const registry = this.#registryOf(owner);
    if (!registry) return;
    const place = registry.kind.namespaced ? namespace : undefined;
    this.#add('foreground', { registry, namespace: place, name: owner.name, uid: owner.uid });
  }

  #registryOf({ apiVersion, kind }: OwnerReference): Registry | undefined {
    return this.#options.resources.all.find(
      ({ printed }) => printed.kind === kind && apiVersionOf(printed) === apiVersion,
    )?.registry;
  }

  async #do(task: Task): Promise<void> {
    const object = await this.#read(task);
    if (object?.metadata.uid !== task.uid) return;
    const work = {
      own: () => this.#collect(task, object),
      foreground: () => this.#finish(task, object),
      orphan: () => this.#orphan(task, object),
    };
    await work[task.does]().catch((error: unknown) => {
      if (!isGone(error) && !isStale(error)) throw error;
    });
  }

  async #read({ registry, name, namespace }: Item): Promise<KubeObject | undefined> {
    try {
      return decodeObject(await registry.get(name, { namespace }));
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  /** Deletes what has no owner left; forgets owners that are gone if it has others. */
  async #collect(item: Item, { metadata }: KubeObject): Promise<void> {
    const { ownerReferences = [], deletionTimestamp, finalizers = [] } = metadata;
    if (deletionTimestamp || ownerReferences.length === 0) return;
    const states = await Promise.all(ownerReferences.map((owner) => this.#stateOf(owner, item)));
    const solid = ownerReferences.filter((_, index) => states[index] === 'solid');
    if (solid.length === ownerReferences.length) return;
    if (solid.length > 0) return this.#keepOwners(item, solid);
    const waits = states.includes('waiting') && this.#ownership.dependentsOf(item.uid).length > 0;
    const policy = waits ? 'Foreground' : policyOf(finalizers);
    await this.#delete(item, {
      propagationPolicy: policy,
      preconditions: { uid: item.uid, resourceVersion: metadata.resourceVersion! },
    });
  }

  #delete({ registry, name, namespace }: Item, options: DeleteOptions): Promise<unknown> {
    return registry.delete(name, { ...options, namespace });
  }

  async #stateOf(owner: OwnerReference, { namespace }: Item): Promise<'solid' | 'waiting' | 'gone'> {
    const registry = this.#registryOf(owner);
    // What cannot be found cannot be said to be gone.
    if (!registry || (registry.kind.namespaced && !namespace)) return 'solid';
    const place = registry.kind.namespaced ? namespace : undefined;
    const found = await this.#read({ registry, namespace: place, name: owner.name, uid: owner.uid });
    if (found?.metadata.uid !== owner.uid) return 'gone';
    const { deletionTimestamp, finalizers = [] } = found.metadata;
    const waits = deletionTimestamp && finalizers.includes(foregroundFinalizer) && owner.blockOwnerDeletion;
    return waits ? 'waiting' : 'solid';
  }

  /** Lets an owner go that nothing blocks any more; what blocks it is looked at. */
  async #finish(item: Item, object: KubeObject): Promise<void> {
    if (!object.metadata.deletionTimestamp || !object.metadata.finalizers?.includes(foregroundFinalizer)) return;
    const blocking = this.#ownership
      .dependentsOf(item.uid)
      .filter(({ owners }) => owners.some(({ uid, blockOwnerDeletion }) => uid === item.uid && blockOwnerDeletion));
    if (blocking.length === 0) return this.#withoutFinalizer(item, foregroundFinalizer);
    for (const dependent of blocking) this.#add('own', dependent);
  }

  async #orphan(item: Item, object: KubeObject): Promise<void> {
    if (!object.metadata.finalizers?.includes(orphanFinalizer)) return;
    for (const dependent of this.#ownership.dependentsOf(item.uid)) {
      await this.#keepOwners(
        dependent,
        dependent.owners.filter(({ uid }) => uid !== item.uid),
      ).catch((error: unknown) => {
        if (!isGone(error)) throw error;
      });
    }
    await this.#withoutFinalizer(item, orphanFinalizer);
  }

  async #keepOwners({ registry, name, namespace, uid }: Item, owners: readonly OwnerReference[]): Promise<void> {
    await registry.update(name, { namespace }, (old) => {
      const { ownerReferences: _, ...metadata } = old!.metadata;
      if (metadata.uid !== uid) return old!;
      return { ...old!, metadata: { ...metadata, ...(owners.length > 0 ? { ownerReferences: [...owners] } : {}) } };
    });
  }

  async #withoutFinalizer({ registry, name, namespace }: Item, finalizer: string): Promise<void> {
    await registry.update(name, { namespace }, (old) => {
      const { finalizers = [], ...metadata } = old!.metadata;
      const left = finalizers.filter((one) => one !== finalizer);
      return { ...old!, metadata: { ...metadata, ...(left.length > 0 ? { finalizers: left } : {}) } };
    });
  }
}

/** What its own finalizers ask for. */
function policyOf(finalizers: readonly string[]): 'Foreground' | 'Background' | 'Orphan' {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}
