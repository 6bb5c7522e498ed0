/** One informer per resource of a cluster, shared by its controllers: started on first use, stopped together. */

import { Informer } from './informer.ts';
import type { KubeClient, KubeObject } from './kube-client.ts';

export interface SharedInformersOptions {
  client: KubeClient;
  onError(error: unknown): void;
  /** Label selectors by path; without one, everything is watched. */
  selectors?: Readonly<Record<string, string>> | undefined;
}

/** managedFields are often the larger half of an object. The server maintains them, and an update without them keeps them. */
function trim({ metadata }: KubeObject): void {
  delete (metadata as { managedFields?: unknown }).managedFields;
}

export class SharedInformers implements AsyncDisposable {
  readonly #options: SharedInformersOptions;
  readonly #informers = new Map<string, Informer<KubeObject>>();

  constructor(options: SharedInformersOptions) {
    this.#options = options;
  }

  /** The objects are shared: copy one before changing it. */
  of<T extends KubeObject>(path: string): Informer<T> {
    let informer = this.#informers.get(path);
    if (!informer) {
      const { client, onError, selectors = {} } = this.#options;
      const selector = selectors[path];
      const query = selector === undefined ? '' : `?labelSelector=${encodeURIComponent(selector)}`;
      informer = new Informer<KubeObject>({ client, onError, path: `${path}${query}`, trim });
      this.#informers.set(path, informer);
    }
    return informer as unknown as Informer<T>;
  }

  /** Resolves when the first list of each is complete. */
  async synced(): Promise<void> {
    await Promise.all([...this.#informers.values()].map(({ synced }) => synced));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#informers.values()].map((informer) => informer[Symbol.asyncDispose]()));
  }
}
