/** The resource templates: a live copy of the control plane's objects, except those of kinds that are never templates (FED-19). */

import { Informer, keyOf } from '@fleet/client/informer.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '../api/objects.ts';
import { collectionPath, Kinds, type ObjectName, type Resource } from '../kinds/kinds.ts';

/** `old` is what was known before: undefined for what is new. */
export type TemplateHandler = (now: AnyObject | undefined, old: AnyObject | undefined) => void;

export interface TemplatesOptions {
  client: KubeClient;
  isTemplateKind(resource: Resource): boolean;
  onError(error: unknown): void;
}

interface Followed {
  resource: Resource;
  informer: Informer<AnyObject>;
}

export class Templates implements AsyncDisposable {
  readonly #options: TemplatesOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #handlers = new Set<TemplateHandler>();
  #kinds = new Kinds([]);

  constructor(options: TemplatesOptions) {
    this.#options = options;
  }

  /** What the control plane serves, as last reported to `follow`. */
  get kinds(): Kinds {
    return this.#kinds;
  }

  /** Starts to follow new kinds, and stops to follow removed ones, whose objects count as deleted. */
  follow(resources: readonly Resource[]): void {
    this.#kinds = new Kinds(resources);
    const selected = new Map(
      resources
        .filter((resource) => this.#options.isTemplateKind(resource))
        .map((resource) => [collectionPath(resource), resource] as const)
        .filter(([path, resource]) => isFollowed(resource, this.#followed.has(path))),
    );
    for (const [path, { informer }] of this.#followed) {
      if (selected.has(path)) continue;
      this.#followed.delete(path);
      void informer[Symbol.asyncDispose]();
      for (const template of informer.values()) this.#changed(undefined, template);
    }
    for (const [path, resource] of selected) {
      if (!this.#followed.has(path)) this.#followed.set(path, { resource, informer: this.#start(path, resource) });
    }
  }

  get({ apiVersion, kind, namespace, name }: ObjectName): AnyObject | undefined {
    const resource = this.#kinds.of({ apiVersion, kind });
    return (
      resource && this.#followed.get(collectionPath(resource))?.informer.get(namespace ? `${namespace}/${name}` : name)
    );
  }

  *all(): Iterable<AnyObject> {
    for (const { informer } of this.#followed.values()) yield* informer.values();
  }

  *ofKind(kind: { apiVersion: string; kind: string }): Iterable<AnyObject> {
    const resource = this.#kinds.of(kind);
    const followed = resource && this.#followed.get(collectionPath(resource));
    if (followed) yield* followed.informer.values();
  }

  /** Called first with what is known already. */
  subscribe(handler: TemplateHandler): Disposable {
    this.#handlers.add(handler);
    for (const template of this.all()) handler(template, undefined);
    return { [Symbol.dispose]: () => void this.#handlers.delete(handler) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#followed.values()].map(({ informer }) => informer[Symbol.asyncDispose]()));
  }

  #start(path: string, { apiVersion, kind }: Resource): Informer<AnyObject> {
    const { client, onError } = this.#options;
    const informer: Informer<AnyObject> = new Informer<AnyObject>({
      client,
      path,
      onError,
      trim: (object) => complete(object, apiVersion, kind),
      onChange: (_key, now, old) => {
        // Events of a stopped informer are ignored: they would add deleted objects again.
        if (this.#followed.get(path)?.informer === informer) this.#changed(now, old);
      },
    });
    return informer;
  }

  #changed(now: AnyObject | undefined, old: AnyObject | undefined): void {
    for (const handler of this.#handlers) handler(now, old);
  }
}

/** One version of each group, so that no object is a template twice. While a CustomResourceDefinition is being deleted it has no `patch`. */
const isFollowed = ({ verbs, preferred }: Resource, isKnown: boolean): boolean =>
  preferred && verbs.includes('list') && verbs.includes('watch') && (isKnown || verbs.includes('patch'));

/** Items of lists have no kind; managed fields are large, and the pipeline does not read them. */
export function complete(object: AnyObject, apiVersion: string, kind: string): void {
  object.apiVersion = apiVersion;
  object.kind = kind;
  delete (object.metadata as { managedFields?: unknown }).managedFields;
}

/** Unique among objects of all kinds. */
export const templateKey = (object: AnyObject): string => `${object.apiVersion} ${object.kind} ${keyOf(object)}`;

export function nameOfKey(key: string): ObjectName {
  const [apiVersion = '', kind = '', path = ''] = key.split(' ');
  const slash = path.indexOf('/');
  return slash < 0
    ? { apiVersion, kind, name: path }
    : { apiVersion, kind, namespace: path.slice(0, slash), name: path.slice(slash + 1) };
}
