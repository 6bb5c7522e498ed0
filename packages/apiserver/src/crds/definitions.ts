/** The controller of definitions: accepts their names, serves and removes their kinds, and deletes their objects with them. */

import { WorkQueue } from '@fleet/client/work-queue.ts';
import { equalJson, type JsonValue } from '@fleet/kube/json-value.ts';
import { notFound, StatusError } from '@fleet/kube/status.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { ObjectTypes } from '../http/object-types.ts';
import { LiveCopy } from '../registry/live-copy.ts';
import { outlineInSlices } from '../registry/outline.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import type { StoredKind } from '../registry/resource-kind.ts';
import { acceptNames } from './accepted-names.ts';
import { setCondition } from './conditions.ts';
import { type Check, customKind } from './custom/custom-kind.ts';
import { customTypes } from './custom/custom-types.ts';
import { type Definition, isTrue, storageVersion, type Version } from './definition.ts';
import { cleanupFinalizer } from './definition-kind.ts';
import { readDefinition } from './definition-outline.ts';

export interface DefinitionsOptions {
  registry: ObjectRegistry;
  /** Changes a definition; throws the error that a client would get. */
  patch(name: string, subresource: 'status' | undefined, operations: Operation[]): Promise<void>;
  serve(kind: PrintedKind, types: ObjectTypes): Promise<AsyncDisposable & { registry: ObjectRegistry }>;
  /** The objects of a kind, whether it is served or not. */
  contents(kind: PrintedKind): ObjectRegistry;
  check(definition: Definition, version: Version): Check;
  /** How large objects are converted to another version than the stored one. */
  conversions(kind: PrintedKind, isLong: boolean): StoredKind['onThread'];
  onError(error: unknown): void;
}

/** An operation of a JSON patch. */
export type Operation = { op: 'add' | 'test'; path: string; value: JsonValue };

interface Served {
  /** The inputs from which it was built. */
  made: JsonValue;
  kinds: (AsyncDisposable & { registry: ObjectRegistry })[];
}

export class Definitions implements AsyncDisposable {
  readonly #options: DefinitionsOptions;
  readonly #copy: LiveCopy;
  readonly #served = new Map<string, Served>();
  /** One worker, as the accepted names depend on other definitions. */
  readonly #queue: WorkQueue<string>;

  /** Resolves when all definitions are served. */
  static async open(options: DefinitionsOptions): Promise<Definitions> {
    const definitions = new Definitions(options);
    await definitions.#copy.synced;
    await definitions.#queue.idle;
    return definitions;
  }

  private constructor(options: DefinitionsOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({ work: (name) => this.#settle(name), onError: options.onError });
    this.#copy = new LiveCopy({
      registry: options.registry,
      read: readDefinition,
      onChange: (now, before) => {
        const { name = '' } = (now ?? before)!.metadata;
        this.#queue.add(name, name);
      },
      onError: options.onError,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#copy[Symbol.asyncDispose]();
    await this.#queue[Symbol.asyncDispose]();
    for (const name of [...this.#served.keys()]) await this.#withdraw(name);
  }

  /** Returns whether nothing is left to do until it changes. */
  async #settle(name: string): Promise<boolean> {
    const definition = this.#copy.get(name) as Definition | undefined;
    if (!definition) {
      await this.#withdraw(name);
      return true;
    }
    // Only its status is copied: definitions may be large.
    const next = { ...definition };
    acceptNames(next, this.#others(definition), timeText(Date.now()));
    // An established definition is served.
    if (isTrue(next, 'Established')) await this.#serve(next);
    if (definition.metadata.deletionTimestamp) return this.#end(definition);
    return equalJson(asJson(next.status), asJson(definition.status)) || this.#writeStatus(next);
  }

  *#others({ spec, metadata }: Definition): Generator<Definition> {
    for (const one of this.#copy.values() as Iterable<Definition>) {
      if (one.spec.group === spec.group && one.metadata.name !== metadata.name) yield one;
    }
  }

  async #serve(definition: Definition): Promise<void> {
    const { name = '', uid = '', generation = 0 } = definition.metadata;
    // The generation changes with the spec.
    const made = asJson([uid, generation, definition.status?.acceptedNames ?? null]);
    const before = this.#served.get(name);
    if (before && equalJson(before.made, made)) return;
    const kinds: Served['kinds'] = [];
    this.#served.set(name, { made, kinds });
    try {
      await this.#serveVersions(definition, kinds);
    } catch (error) {
      // It is served only in part: it is retried.
      this.#served.set(name, { made: null, kinds });
      throw error;
    } finally {
      // Disposed only now, so that every request finds either the old or the new kind.
      for (const kind of before?.kinds ?? []) await kind[Symbol.asyncDispose]();
    }
  }

  async #serveVersions(definition: Definition, kinds: Served['kinds']): Promise<void> {
    const { name = '' } = definition.metadata;
    const isGoing = (): boolean => this.#copy.get(name)?.metadata.deletionTimestamp !== undefined;
    for (const version of definition.spec.versions.filter(({ served }) => served)) {
      const kind = customKind(definition, version, this.#options.check(definition, version), isGoing);
      const types = customTypes(definition, version);
      const onThread = this.#options.conversions(kind, types.isLong === true);
      const shown = kind.stored ? { ...kind, stored: { ...kind.stored, onThread } } : kind;
      // A client that finds the kind in discovery may change its definition immediately: the server must not write it any more.
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

  /** A new definition gets a status with the stored versions. */
  #writeStatus({ metadata, status = {} }: Definition): Promise<boolean> {
    const fields = (['acceptedNames', 'conditions'] as const).filter((field) => status[field] !== undefined);
    const operations = fields.map((field) => put(`/status/${field}`, status[field]));
    return this.#patch(metadata.name!, 'status', operations);
  }

  /** False if it was changed meanwhile, or its finalizers were, which is 422. */
  async #patch(name: string, subresource: 'status' | undefined, operations: Operation[]): Promise<boolean> {
    try {
      await this.#options.patch(name, subresource, operations);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (error.code === 409 || (error.code === 422 && !subresource)) return false;
      if (error.code !== 404) throw error;
    }
    return true;
  }

  /** Deletes all objects, of unserved versions, too; once none is left the definition itself can be deleted. */
  async #end(definition: Definition): Promise<boolean> {
    const { name = '', finalizers = [] } = definition.metadata;
    if (!finalizers.includes(cleanupFinalizer)) return true;
    const isOverlapping = name === keptAsBuiltIn;
    if (!isOverlapping && !(await this.#isEmptied(definition))) return false;
    const next = { ...definition };
    const ended = isOverlapping ? overlapping : emptied;
    setCondition(next, { type: 'Terminating', status: 'False', ...ended }, timeText(Date.now()));
    await this.#writeStatus(next);
    const left = finalizers.filter((one) => one !== cleanupFinalizer);
    const path = '/metadata/finalizers';
    return this.#patch(name, undefined, [{ op: 'test', path, value: asJson(finalizers) }, put(path, left)]);
  }

  async #isEmptied(definition: Definition): Promise<boolean> {
    const contents = this.#contentsOf(definition);
    try {
      await contents.deleteCollection({}, {}, () => this.#refuseOther(definition));
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return false;
      throw error;
    }
    return (await contents.list({ limit: 1 })).entries.length === 0;
  }

  /** Reads the store: the copy may not know yet that the definition was deleted and replaced by another of its name. */
  async #refuseOther({ metadata: { name = '', uid } }: Definition): Promise<void> {
    const { registry } = this.#options;
    const { metadata } = (await outlineInSlices((await registry.get(name)).value)).object;
    if (metadata.uid !== uid || !metadata.deletionTimestamp) throw notFound(registry.kind, name);
  }

  /** As stored: their version does not matter. */
  #contentsOf(definition: Definition): ObjectRegistry {
    const version = storageVersion(definition) ?? definition.spec.versions[0]!;
    const { stored: _, ...kind } = customKind(
      definition,
      version,
      async () => [],
      () => true,
    );
    return this.#options.contents(kind);
  }
}

/** The server's own objects of this name have the same keys in the store. */
const keptAsBuiltIn = 'apiservices.apiregistration.k8s.io';

const overlapping = {
  reason: 'OverlappingBuiltInResource',
  message: 'instances overlap with built-in resources in storage',
};
const emptied = { reason: 'InstanceDeletionCompleted', message: 'removed all instances' };

const put = (path: string, value: unknown): Operation => ({ op: 'add', path, value: asJson(value) });

const asJson = (value: unknown): JsonValue => (value ?? null) as JsonValue;
