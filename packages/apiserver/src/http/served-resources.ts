/** The set of served resources. It may change during requests, as CRDs come and go. */

import { isCustom } from '../registry/printed-kind.ts';
import type { AnsweredPath, AnsweredResource } from './answered-resource.ts';
import type { ComputedResource } from './computed-resource.ts';
import type { Resource } from './verb.ts';

type Path = Pick<AnsweredPath, 'group' | 'version' | 'resource'>;

const textOf = ({ group, version, resource }: Path): string => `${group}/${version}/${resource}`;

const answeredText = ({ subresource = '', ...path }: AnsweredPath): string => `${textOf(path)}/${subresource}`;

export class ServedResources {
  readonly #byPath = new Map<string, Resource>();
  readonly #listeners = new Set<() => void>();
  readonly #answered = new Map<string, AnsweredResource>();
  readonly #computed = new Map<string, ComputedResource>();
  #all: readonly Resource[] | undefined;
  /** Whether pods run: then discovery includes their connect subresources. */
  runsPods = false;

  find(path: Path): Resource | undefined {
    return this.#byPath.get(textOf(path));
  }

  findAnswered(path: AnsweredPath): AnsweredResource | undefined {
    return this.#answered.get(answeredText(path));
  }

  get answered(): Iterable<AnsweredResource> {
    return this.#answered.values();
  }

  answer(resource: AnsweredResource): void {
    this.#answered.set(answeredText(resource.at), resource);
    this.#changed();
  }

  findComputed(path: Path): ComputedResource | undefined {
    return this.#computed.get(textOf(path));
  }

  get computed(): Iterable<ComputedResource> {
    return this.#computed.values();
  }

  compute(resource: ComputedResource): void {
    this.#computed.set(textOf(resource.kind), resource);
    this.#changed();
  }

  /** Groups of CRDs are not built in. */
  hasOwnGroup(group: string): boolean {
    return (
      this.all.some(({ printed }) => printed.group === group && !isCustom(printed)) ||
      [...this.answered].some(({ at }) => at.group === group) ||
      [...this.computed].some(({ kind }) => kind.group === group)
    );
  }

  hasOwnVersion(group: string, version: string): boolean {
    return (
      this.all.some(({ printed }) => printed.group === group && printed.version === version && !isCustom(printed)) ||
      [...this.answered].some(({ at }) => at.group === group && at.version === version) ||
      [...this.computed].some(({ kind }) => kind.group === group && kind.version === version)
    );
  }

  /** In the order of addition. The same array until the set changes, so that derived values can be cached. */
  get all(): readonly Resource[] {
    this.#all ??= [...this.#byPath.values()];
    return this.#all;
  }

  /** Replaces one with the same path, but never a built-in one. */
  add(resource: Resource): void {
    const standing = this.find(resource.printed);
    if (standing && !isCustom(standing.printed) && isCustom(resource.printed)) return;
    this.#byPath.set(textOf(resource.printed), resource);
    this.#changed();
  }

  /** Does nothing if it was replaced meanwhile. */
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
