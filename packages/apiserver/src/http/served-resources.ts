/** The resources that are served. They may come and go while requests are under way, as CRDs do. */

import type { Resource } from './verbs.ts';

interface Path {
  group: string;
  version: string;
  resource: string;
}

const textOf = ({ group, version, resource }: Path): string => `${group}/${version}/${resource}`;

export class ServedResources {
  readonly #byPath = new Map<string, Resource>();
  readonly #listeners = new Set<() => void>();
  #all: readonly Resource[] | undefined;

  find(path: Path): Resource | undefined {
    return this.#byPath.get(textOf(path));
  }

  /** In the order in which they came. The same list until it changes, so that what is made of it can be kept. */
  get all(): readonly Resource[] {
    this.#all ??= [...this.#byPath.values()];
    return this.#all;
  }

  /** Takes the place of one with the same path. */
  add(resource: Resource): void {
    this.#byPath.set(textOf(resource.printed), resource);
    this.#changed();
  }

  /** One that has been replaced meanwhile stays. */
  remove(resource: Resource): void {
    const path = textOf(resource.printed);
    if (this.#byPath.get(path) !== resource) return;
    this.#byPath.delete(path);
    this.#changed();
  }

  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #changed(): void {
    this.#all = undefined;
    for (const listener of this.#listeners) listener();
  }
}
