/** A live copy of one resource of the control plane: it lists, watches and resumes, and lists again only after a 410. */

import { setTimeout as delay } from 'node:timers/promises';
import { StatusError } from '@fleet/kube/status.ts';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import { errorOf, type KubeClient, type KubeObject } from './kube-client.ts';
import { ObjectIndex } from './object-index.ts';

/** `old` is the previously known object; undefined for a new one. */
export type ChangeHandler<T> = (key: string, now: T | undefined, old: T | undefined) => void;

export interface InformerOptions<T> {
  client: KubeClient;
  /** For example `/api/v1/namespaces/karmada-cluster/secrets`; it may carry a query, such as a selector. */
  path: string;
  /** Its exceptions go to `onError`; the informer continues. Further handlers are added by `subscribe`. */
  onChange?: ChangeHandler<T>;
  onError: (error: unknown) => void;
  /** Removes unneeded fields before an object is stored. */
  trim?: ((object: T) => void) | undefined;
}

interface WatchEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: T & { code?: number; reason?: string; message?: string };
}

const firstPause = 200;
const longestPause = 10_000;

export const keyOf = ({ metadata: { namespace, name } }: KubeObject): string =>
  namespace ? `${namespace}/${name}` : name;

export class Informer<T extends KubeObject> implements AsyncDisposable {
  /** Resolves when the first list is complete. */
  readonly synced: Promise<void>;
  private readonly options: InformerOptions<T>;
  private readonly objects = new Map<string, T>();
  private readonly handlers = new Set<ChangeHandler<T>>();
  private readonly indexes = new Map<string, ObjectIndex<T>>();
  private readonly waiting = new Set<{ test: () => boolean; resolve: () => void }>();
  private seenVersion = 0;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;
  private markSynced!: () => void;

  constructor(options: InformerOptions<T>) {
    this.options = options;
    if (options.onChange) this.handlers.add(options.onChange);
    this.synced = new Promise((resolve) => {
      this.markSynced = resolve;
    });
    this.running = this.run();
  }

  get(key: string): T | undefined {
    return this.objects.get(key);
  }

  values(): Iterable<T> {
    return this.objects.values();
  }

  /** The newest resource version, as a number: 0 before the first list. */
  get version(): number {
    return this.seenVersion;
  }

  /** Resolves when the test passes, which runs after each event: lets a controller wait for its own writes. */
  async until(test: () => boolean, signal: AbortSignal): Promise<void> {
    if (test() || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const entry = { test, resolve };
    const stop = (): void => resolve();
    this.waiting.add(entry);
    signal.addEventListener('abort', stop);
    await promise;
    signal.removeEventListener('abort', stop);
    this.waiting.delete(entry);
  }

  /** Calls the handler first with all known objects, as client-go does. */
  subscribe(handler: ChangeHandler<T>): Disposable {
    this.handlers.add(handler);
    for (const [key, object] of this.objects) this.call(handler, key, object, undefined);
    return { [Symbol.dispose]: () => void this.handlers.delete(handler) };
  }

  /** Indexes are shared by name. */
  index(name: string, keysOf: (object: T) => readonly string[]): ObjectIndex<T> {
    let index = this.indexes.get(name);
    if (!index) {
      index = new ObjectIndex(keysOf);
      for (const [key, object] of this.objects) index.change(key, object, undefined);
      this.indexes.set(name, index);
    }
    return index;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    let pause = firstPause;
    let version: string | undefined;
    while (!signal.aborted) {
      let idle = true;
      try {
        version ??= await this.relist();
        for await (const seen of this.watch(version)) {
          version = seen;
          pause = firstPause;
          idle = false;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof StatusError && error.code === 410) version = undefined;
        else this.options.onError(error);
        idle = true;
      }
      // Pauses if the server fails, or ends every watch at once, to avoid a tight loop.
      if (!idle) continue;
      await delay(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
      pause = Math.min(pause * 2, longestPause);
    }
  }

  private async relist(): Promise<string> {
    const list = await this.options.client.list<T>(this.options.path, this.stopping.signal);
    const gone = new Set(this.objects.keys());
    for (const object of list.items) {
      gone.delete(keyOf(object));
      const known = this.objects.get(keyOf(object));
      if (known?.metadata.resourceVersion !== object.metadata.resourceVersion) this.put(object);
    }
    for (const key of gone) this.drop(key);
    this.markSynced();
    this.reached(list.metadata.resourceVersion);
    return list.metadata.resourceVersion;
  }

  /** Yields the resource version after each event. */
  private async *watch(from: string): AsyncGenerator<string> {
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${encodeURIComponent(from)}`;
    const reply = await this.options.client.upstream.call({
      method: 'GET',
      path: `${this.options.path}${this.options.path.includes('?') ? '&' : '?'}${query}`,
      headers: { accept: 'application/json', 'user-agent': 'fleet' },
      signal: this.stopping.signal,
    });
    if (reply.status !== 200) throw errorOf(reply.status, await reply.body.bytes());
    for await (const line of watchLines(reply.body)) {
      const { type, object } = JSON.parse(line.toString()) as WatchEvent<T>;
      if (type === 'ERROR') throw new StatusError(object.code ?? 500, object.reason ?? '', object.message ?? '');
      if (type === 'DELETED') this.drop(keyOf(object));
      else if (type !== 'BOOKMARK') this.put(object);
      this.reached(object.metadata.resourceVersion ?? from);
      yield object.metadata.resourceVersion ?? from;
    }
  }

  private reached(version: string): void {
    this.seenVersion = Math.max(this.seenVersion, Number(version) || 0);
    for (const { test, resolve } of this.waiting) if (test()) resolve();
  }

  private put(object: T): void {
    this.options.trim?.(object);
    const key = keyOf(object);
    const old = this.objects.get(key);
    this.objects.set(key, object);
    this.notify(key, object, old);
  }

  private drop(key: string): void {
    const old = this.objects.get(key);
    this.objects.delete(key);
    this.notify(key, undefined, old);
  }

  private notify(key: string, now: T | undefined, old: T | undefined): void {
    for (const index of this.indexes.values()) index.change(key, now, old);
    for (const handler of this.handlers) this.call(handler, key, now, old);
  }

  /** An object at which one handler throws must not stop the others. */
  private call(handler: ChangeHandler<T>, key: string, now: T | undefined, old: T | undefined): void {
    try {
      handler(key, now, old);
    } catch (error) {
      this.options.onError(error);
    }
  }
}
