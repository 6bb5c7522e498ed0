/** What the generator believes to exist in its lane. It may be wrong: then a request fails, on both sides alike. */
import type { Kind } from '../kinds/kind.ts';
import type { Random } from '../random.ts';
import type { JsonObject } from '../request.ts';

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];

export class Model {
  readonly namespace: string;
  readonly #objects = new Map<string, Map<string, JsonObject>>();
  #serial = 0;

  constructor(lane: number) {
    this.namespace = `@{scope}-${lane}`;
  }

  /** A number never given before in this lane. */
  serial(): number {
    return ++this.#serial;
  }

  /** Names of objects in the cluster's scope carry the run's scope, and those of definitions are `plural.group`. */
  names(kind: Kind): string[] {
    if (kind.resource === 'customresourcedefinitions') return [`things.${this.namespace}.example.dev`];
    return kind.namespaced ? names : names.map((name) => `${this.namespace}-${name}`);
  }

  existing(kind: Kind): string[] {
    return [...(this.#objects.get(kind.resource)?.keys() ?? []), ...(kind.given ?? [])];
  }

  body(kind: Kind, name: string): JsonObject | undefined {
    return this.#objects.get(kind.resource)?.get(name);
  }

  set(kind: Kind, name: string, body: JsonObject): void {
    const objects = this.#objects.get(kind.resource) ?? new Map<string, JsonObject>();
    this.#objects.set(kind.resource, objects.set(name, body));
  }

  delete(kind: Kind, name: string): void {
    this.#objects.get(kind.resource)?.delete(name);
  }

  /** Mostly one that exists. */
  known(random: Random, kind: Kind): string {
    const existing = this.existing(kind);
    return existing.length > 0 && random.chance(0.93) ? random.pick(existing) : random.pick(this.names(kind));
  }

  /** Mostly one that does not. */
  fresh(random: Random, kind: Kind): string {
    const free = this.names(kind).filter((name) => !this.body(kind, name));
    return free.length > 0 && random.chance(0.93) ? random.pick(free) : random.pick(this.names(kind));
  }
}
