/** A copy of all objects of a resource, or of selected ones, parsed and updated by a watch in process. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Form } from '../watch-cache/shared-event.ts';
import type { KubeObject } from './kube-object.ts';
import type { Selection } from './list.ts';
import { readInSlices } from './read-in-slices.ts';
import type { ObjectRegistry } from './registry.ts';

export interface LiveCopyOptions {
  registry: ObjectRegistry;
  selection?: Selection;
  /** Decodes an object, or the part of it that is needed. */
  read?(value: Uint8Array): Promise<KubeObject>;
  /** `now` is undefined for a deleted object, `before` for a new one. A returned promise is awaited. */
  onChange(now: KubeObject | undefined, before: KubeObject | undefined): void | Promise<void>;
  onError(error: unknown): void;
}

/** The object's bytes without an envelope. */
const bare: Form = { name: 'bare object', event: (_, object) => object, bookmark: () => new Uint8Array() };

const pauseMillis = 500;

export const keyOf = ({ metadata: { namespace = '', name = '' } }: KubeObject): string => `${namespace}/${name}`;

export class LiveCopy implements AsyncDisposable {
  /** Resolves when the initial list is complete. */
  readonly synced: Promise<void>;
  readonly #options: LiveCopyOptions;
  readonly #objects = new Map<string, KubeObject>();
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: LiveCopyOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.synced = promise;
    this.#running = this.#run(resolve);
  }

  get(name: string, namespace = ''): KubeObject | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  values(): Iterable<KubeObject> {
    return this.#objects.values();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #run(synced: () => void): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        await this.#follow(synced);
      } catch (error) {
        if (!signal.aborted) this.#options.onError(error);
      }
      await sleep(pauseMillis, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #follow(synced: () => void): Promise<void> {
    const { registry, selection = {}, read = readInSlices } = this.#options;
    const options = { ...selection, sendInitialEvents: true, allowWatchBookmarks: true, signal: this.#ending.signal };
    let unseen: Set<string> | undefined = new Set(this.#objects.keys());
    for await (const event of registry.watch(options)) {
      if (event.type === 'BOOKMARK') {
        if (!event.endsInitialEvents) continue;
        // Objects that were deleted while there was no watch.
        for (const key of unseen ?? []) await this.#drop(key);
        unseen = undefined;
        synced();
        continue;
      }
      const object = await read(event.in(bare));
      unseen?.delete(keyOf(object));
      const taken = event.type === 'DELETED' ? this.#drop(keyOf(object)) : this.#put(object);
      if (taken) await taken;
    }
  }

  #put(object: KubeObject): void | Promise<void> {
    const key = keyOf(object);
    const before = this.#objects.get(key);
    this.#objects.set(key, object);
    return this.#options.onChange(object, before);
  }

  #drop(key: string): void | Promise<void> {
    const before = this.#objects.get(key);
    this.#objects.delete(key);
    return before && this.#options.onChange(undefined, before);
  }
}
