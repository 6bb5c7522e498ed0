/** Objects of an informer by some text of theirs: the owner's uid, the namespace. Kept with every change. */

import type { KubeObject } from './kube-client.ts';

export class ObjectIndex<T> {
  readonly #keysOf: (object: T) => readonly string[];
  readonly #objects = new Map<string, Map<string, T>>();

  constructor(keysOf: (object: T) => readonly string[]) {
    this.#keysOf = keysOf;
  }

  get(key: string): Iterable<T> {
    return this.#objects.get(key)?.values() ?? [];
  }

  /** Called by the informer. */
  change(key: string, now: T | undefined, old: T | undefined): void {
    const before = old ? this.#keysOf(old) : [];
    const after = now ? this.#keysOf(now) : [];
    for (const gone of before) if (!after.includes(gone)) this.#remove(gone, key);
    if (!now) return;
    for (const held of after) {
      const objects = this.#objects.get(held);
      if (objects) objects.set(key, now);
      else this.#objects.set(held, new Map([[key, now]]));
    }
  }

  #remove(held: string, key: string): void {
    const objects = this.#objects.get(held);
    objects?.delete(key);
    if (objects?.size === 0) this.#objects.delete(held);
  }
}

/** By the uid of the controller, empty where an object has none. */
export const byController = ({ metadata }: KubeObject): readonly string[] => [
  metadata.ownerReferences?.find(({ controller }) => controller)?.uid ?? '',
];

export const byNamespace = ({ metadata }: KubeObject): readonly string[] => [metadata.namespace ?? ''];
