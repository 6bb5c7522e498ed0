/** Indexes an informer's objects by a derived text, such as the owner's uid or the namespace, and updates with every change. */

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

const controllerOf = ({ metadata }: KubeObject) => metadata.ownerReferences?.find(({ controller }) => controller);

/** By the uid of the controller owner. */
export const byController = (object: KubeObject): readonly string[] => {
  const controller = controllerOf(object);
  return controller ? [controller.uid] : [];
};

export const byNamespace = ({ metadata }: KubeObject): readonly string[] => [metadata.namespace ?? ''];

/** Objects without a controller owner, by namespace. */
export const orphansByNamespace = (object: KubeObject): readonly string[] =>
  controllerOf(object) ? [] : byNamespace(object);
