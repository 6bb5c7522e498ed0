/** Who is owned by whom, as far as the collector has seen: learnt from the events of all resources. */

import type { KubeObject, OwnerReference } from '../registry/kube-object.ts';
import type { Registry } from '../registry/registry.ts';

/** One object, wherever it is. */
export interface Item {
  registry: Registry;
  namespace: string | undefined;
  name: string;
  uid: string;
}

export interface Dependent extends Item {
  owners: readonly OwnerReference[];
}

export const itemOf = (registry: Registry, { metadata }: KubeObject): Item => ({
  registry,
  namespace: metadata.namespace,
  name: metadata.name!,
  uid: metadata.uid!,
});

export class Ownership {
  readonly #dependents = new Map<string, Dependent>();
  /** Uids of dependents, by that of their owner. */
  readonly #byOwner = new Map<string, Set<string>>();

  set(registry: Registry, object: KubeObject): void {
    const { uid, ownerReferences = [] } = object.metadata;
    this.delete(uid!);
    if (ownerReferences.length === 0) return;
    this.#dependents.set(uid!, { ...itemOf(registry, object), owners: ownerReferences });
    for (const owner of ownerReferences) {
      const known = this.#byOwner.get(owner.uid);
      if (known) known.add(uid!);
      else this.#byOwner.set(owner.uid, new Set([uid!]));
    }
  }

  /** What it owned itself stays known: it is without an owner now. */
  delete(uid: string): readonly OwnerReference[] {
    const before = this.#dependents.get(uid);
    if (!before) return [];
    this.#dependents.delete(uid);
    for (const owner of before.owners) {
      const known = this.#byOwner.get(owner.uid);
      known?.delete(uid);
      if (known?.size === 0) this.#byOwner.delete(owner.uid);
    }
    return before.owners;
  }

  dependentsOf(uid: string): Dependent[] {
    return [...(this.#byOwner.get(uid) ?? [])].map((dependent) => this.#dependents.get(dependent)!);
  }

  /** Nothing is known of what is not served any more. */
  forget(registry: Registry): void {
    for (const { uid, registry: of } of [...this.#dependents.values()]) if (of === registry) this.delete(uid);
  }
}
