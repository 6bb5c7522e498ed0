/** The ownership graph, as far as the collector has seen it. */

import type { ObjectMeta, OwnerReference } from '../registry/kube-object.ts';

/** An object, whether it is stored here or only referred to. */
export interface Item {
  /** Its key in the store. */
  key: string;
  namespace: string | undefined;
  name: string;
  uid: string;
}

export interface Dependent extends Item {
  owners: readonly OwnerReference[];
}

export const itemOf = (key: string, { namespace, name = '', uid = '' }: ObjectMeta): Item => ({
  key,
  namespace,
  name,
  uid,
});

/** The prefix of the keys of its kind. */
export const prefixOf = ({ key, namespace, name }: Item): string =>
  key.slice(0, key.length - name.length - (namespace === undefined ? 0 : namespace.length + 1));

export class Ownership {
  readonly #dependents = new Map<string, Dependent>();
  /** Keys of dependents, by the uid of their owner. */
  readonly #byOwner = new Map<string, Set<string>>();

  get(key: string): Dependent | undefined {
    return this.#dependents.get(key);
  }

  all(): Iterable<Dependent> {
    return this.#dependents.values();
  }

  set(item: Item, owners: readonly OwnerReference[]): void {
    this.delete(item.key);
    if (owners.length === 0) return;
    this.#dependents.set(item.key, { ...item, owners });
    for (const { uid } of owners) {
      const known = this.#byOwner.get(uid);
      if (known) known.add(item.key);
      else this.#byOwner.set(uid, new Set([item.key]));
    }
  }

  /** Keeps its dependents: they have lost their owner. */
  delete(key: string): void {
    const before = this.#dependents.get(key);
    this.#dependents.delete(key);
    for (const { uid } of before?.owners ?? []) {
      const known = this.#byOwner.get(uid);
      known?.delete(key);
      if (known?.size === 0) this.#byOwner.delete(uid);
    }
  }

  dependentsOf(uid: string): Dependent[] {
    return [...(this.#byOwner.get(uid) ?? [])].map((key) => this.#dependents.get(key)!);
  }
}
