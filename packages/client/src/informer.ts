/** A live copy of one resource of the control plane: list, watch, resume; list anew only when history is gone. */

import { setTimeout as delay } from 'node:timers/promises';
import { StatusError } from '@fleet/kube/status.ts';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import { errorOf, type KubeClient, type KubeObject } from './kube-client.ts';

export interface InformerOptions<T> {
  client: KubeClient;
  /** As in `/api/v1/namespaces/karmada-cluster/secrets`; may carry a query, a selector for instance. */
  path: string;
  /** What it throws goes to `onError`, and the copy goes on. */
  onChange: (key: string, now: T | undefined) => void;
  onError: (error: unknown) => void;
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
  /** Resolves when the first list is in. */
  readonly synced: Promise<void>;
  private readonly options: InformerOptions<T>;
  private readonly objects = new Map<string, T>();
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;
  private markSynced!: () => void;

  constructor(options: InformerOptions<T>) {
    this.options = options;
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
      // A server that fails, or ends every watch at once, is not asked in a tight loop.
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
    return list.metadata.resourceVersion;
  }

  /** Yields the version after each event. */
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
      yield object.metadata.resourceVersion ?? from;
    }
  }

  private put(object: T): void {
    this.objects.set(keyOf(object), object);
    this.notify(keyOf(object), object);
  }

  private drop(key: string): void {
    this.objects.delete(key);
    this.notify(key, undefined);
  }

  /** One object that somebody cannot bear stops nobody from hearing of the others. */
  private notify(key: string, now: T | undefined): void {
    try {
      this.options.onChange(key, now);
    } catch (error) {
      this.options.onError(error);
    }
  }
}
