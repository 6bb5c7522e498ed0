/** Serves what definitions define: names are accepted, kinds come and go, and a definition that goes takes its objects along. */

import { setTimeout as sleep } from 'node:timers/promises';
import { equalJson, type JsonValue } from '@fleet/kube/json-value.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { ObjectTypes } from '../http/object-types.ts';
import { LiveCopy } from '../registry/live-copy.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import type { Registry } from '../registry/registry.ts';
import { timestamp } from '../registry/resource-context.ts';
import type { StoredKind } from '../registry/resource-kind.ts';
import { acceptNames } from './accepted-names.ts';
import { setCondition } from './conditions.ts';
import { type Check, customKind } from './custom/custom-kind.ts';
import { customTypes } from './custom/custom-types.ts';
import { type Definition, isTrue, type Version } from './definition.ts';
import { cleanupFinalizer } from './definition-kind.ts';
import { readDefinition } from './definition-outline.ts';

export interface DefinitionsOptions {
  registry: Registry;
  /** Changes a definition; throws what a client would be answered. */
  patch(name: string, subresource: 'status' | undefined, operations: Operation[]): Promise<void>;
  serve(kind: PrintedKind, types: ObjectTypes): Promise<AsyncDisposable & { registry: Registry }>;
  check(definition: Definition, version: Version): Check;
  /** How large objects are shown in another version than they are kept in. */
  conversions(kind: PrintedKind, isLong: boolean): StoredKind['elsewhere'];
  onError(error: unknown): void;
  /** How long to wait for objects that finalizers hold. */
  retryMillis?: number;
}

/** Of a JSON patch. */
export type Operation = { op: 'add' | 'test'; path: string; value: JsonValue };

interface Served {
  /** What it was made of. */
  made: JsonValue;
  kinds: (AsyncDisposable & { registry: Registry })[];
}

export class Definitions implements AsyncDisposable {
  readonly #options: DefinitionsOptions;
  readonly #copy: LiveCopy;
  readonly #served = new Map<string, Served>();
  readonly #ending = new AbortController();
  /** One after the other, so that a definition is never served twice. */
  #work: Promise<void> = Promise.resolve();

  /** Resolves when all that is defined is served. */
  static async open(options: DefinitionsOptions): Promise<Definitions> {
    const definitions = new Definitions(options);
    await definitions.#copy.synced;
    await definitions.#work;
    return definitions;
  }

  private constructor(options: DefinitionsOptions) {
    this.#options = options;
    this.#copy = new LiveCopy({
      registry: options.registry,
      read: readDefinition,
      onChange: (now, before) => this.#queue(String((now ?? before)!.metadata.name)),
      onError: options.onError,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#copy[Symbol.asyncDispose]();
    await this.#work;
    for (const name of [...this.#served.keys()]) await this.#withdraw(name);
  }

  #queue(name: string): void {
    this.#work = this.#work.then(async () => {
      try {
        await this.#settle(name);
      } catch (error) {
        if (!this.#ending.signal.aborted) this.#options.onError(error);
      }
    });
  }

  async #settle(name: string): Promise<void> {
    const definition = this.#copy.get(name) as Definition | undefined;
    if (!definition || this.#ending.signal.aborted) return this.#withdraw(name);
    // Only its status is put in anew: definitions may be large.
    const next = { ...definition };
    acceptNames(next, this.#others(definition), timestamp(Date.now()));
    // What is said to be there is there.
    if (isTrue(next, 'Established')) await this.#serve(next);
    if (definition.metadata.deletionTimestamp) return this.#end(definition);
    if (!equalJson(asJson(next.status), asJson(definition.status))) await this.#writeStatus(next);
  }

  *#others({ spec, metadata }: Definition): Generator<Definition> {
    for (const one of this.#copy.values() as Iterable<Definition>) {
      if (one.spec.group === spec.group && one.metadata.name !== metadata.name) yield one;
    }
  }

  async #serve(definition: Definition): Promise<void> {
    const { name = '', uid = '', generation = 0 } = definition.metadata;
    // Each change of what is wanted is counted.
    const made = asJson([uid, generation, definition.status?.acceptedNames ?? null]);
    const before = this.#served.get(name);
    if (before && equalJson(before.made, made)) return;
    const kinds: Served['kinds'] = [];
    this.#served.set(name, { made, kinds });
    try {
      await this.#serveVersions(definition, kinds);
    } finally {
      // Only now, so that a request in between is answered by the one or the other.
      for (const kind of before?.kinds ?? []) await kind[Symbol.asyncDispose]();
    }
  }

  async #serveVersions(definition: Definition, kinds: Served['kinds']): Promise<void> {
    const { name = '' } = definition.metadata;
    const isGoing = (): boolean => this.#copy.get(name)?.metadata.deletionTimestamp !== undefined;
    for (const version of definition.spec.versions.filter(({ served }) => served)) {
      const kind = customKind(definition, version, this.#options.check(definition, version), isGoing);
      const types = customTypes(definition, version);
      const elsewhere = this.#options.conversions(kind, types.isLong === true);
      const shown = kind.stored ? { ...kind, stored: { ...kind.stored, elsewhere } } : kind;
      // Who finds it in discovery may change its definition at once: nothing is to be written there any more.
      const isAnnounced = (): boolean => {
        const known = this.#copy.get(name) as Definition | undefined;
        return known !== undefined && isTrue(known, 'Established');
      };
      kinds.push(await this.#options.serve({ ...shown, isAnnounced }, types));
    }
  }

  async #withdraw(name: string): Promise<void> {
    const served = this.#served.get(name);
    this.#served.delete(name);
    for (const kind of served?.kinds ?? []) await kind[Symbol.asyncDispose]();
  }

  /** A definition has a status from the beginning, with the versions that are stored. */
  #writeStatus({ metadata, status = {} }: Definition): Promise<void> {
    const fields = (['acceptedNames', 'conditions'] as const).filter((field) => status[field] !== undefined);
    const operations = fields.map((field) => put(`/status/${field}`, status[field]));
    return this.#patch(metadata.name!, 'status', operations);
  }

  async #patch(name: string, subresource: 'status' | undefined, operations: Operation[]): Promise<void> {
    try {
      await this.#options.patch(name, subresource, operations);
    } catch (error) {
      // It went, or somebody changed it: then it is looked at again.
      if (!(error instanceof StatusError && [404, 409, 422].includes(error.code))) throw error;
    }
  }

  /** All objects go; once none is left the definition may go, too. */
  async #end(definition: Definition): Promise<void> {
    const { name = '', finalizers = [] } = definition.metadata;
    if (!finalizers.includes(cleanupFinalizer)) return;
    const [first] = this.#served.get(name)?.kinds ?? [];
    if (first) {
      await first.registry.deleteCollection({}, {});
      if ((await first.registry.list({ limit: 1 })).entries.length > 0) return this.#again(name);
    }
    const message = 'removed all instances';
    const next = { ...definition };
    const condition = { type: 'Terminating', status: 'False', reason: 'InstanceDeletionCompleted', message } as const;
    setCondition(next, condition, timestamp(Date.now()));
    await this.#writeStatus(next);
    const left = finalizers.filter((one) => one !== cleanupFinalizer);
    const path = '/metadata/finalizers';
    await this.#patch(name, undefined, [{ op: 'test', path, value: asJson(finalizers) }, put(path, left)]);
  }

  /** Something still holds an object. */
  #again(name: string): void {
    const { signal } = this.#ending;
    void sleep(this.#options.retryMillis ?? 1_000, undefined, { signal, ref: false }).then(
      () => this.#queue(name),
      () => undefined,
    );
  }
}

const put = (path: string, value: unknown): Operation => ({ op: 'add', path, value: asJson(value) });

const asJson = (value: unknown): JsonValue => (value ?? null) as JsonValue;
