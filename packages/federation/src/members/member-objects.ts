/** Live copies of what the pipeline has put into members: objects with the managed label, by member and kind, started when needed. */

import { Informer, keyOf } from '@fleet/client/informer.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '../api/objects.ts';
import { collectionPath, type ObjectName, type Resource } from '../kinds/kinds.ts';
import { complete } from '../templates/templates.ts';

export interface MemberConnections {
  /** The product's own connection; undefined where there is none. It may be to a member that is not ready. */
  client(cluster: string): KubeClient | undefined;
}

export interface MemberObjectsOptions {
  connections: MemberConnections;
  /** What the copies hold, as a label selector. */
  selector: string;
  onChange(cluster: string, now: AnyObject | undefined, old: AnyObject | undefined): void;
  onError(cluster: string, error: unknown): void;
}

export class MemberObjects implements AsyncDisposable {
  readonly #options: MemberObjectsOptions;
  readonly #copies = new Map<string, Map<string, Informer<AnyObject>>>();
  #closed = false;

  constructor(options: MemberObjectsOptions) {
    this.#options = options;
  }

  /** The copy of a kind in a member. Undefined without a connection, and after disposal. */
  copy(cluster: string, resource: Resource): Informer<AnyObject> | undefined {
    const path = collectionPath(resource);
    const known = this.#copies.get(cluster)?.get(path);
    if (known) return known;
    if (this.#closed) return undefined;
    const client = this.#options.connections.client(cluster);
    if (!client) return undefined;
    const informer = this.#start(client, cluster, path, resource);
    const copies = this.#copies.get(cluster);
    if (copies) copies.set(path, informer);
    else this.#copies.set(cluster, new Map([[path, informer]]));
    return informer;
  }

  /** As it was last seen. Undefined where the member has no such object with the label, or it is not known yet. */
  get(cluster: string, resource: Resource, { namespace, name }: ObjectName): AnyObject | undefined {
    return this.#copies
      .get(cluster)
      ?.get(collectionPath(resource))
      ?.get(namespace ? `${namespace}/${name}` : name);
  }

  /** Called when a member was removed, or replaced by another one of the same name. */
  async forget(cluster: string): Promise<void> {
    const copies = [...(this.#copies.get(cluster)?.values() ?? [])];
    this.#copies.delete(cluster);
    await Promise.all(copies.map((copy) => copy[Symbol.asyncDispose]()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#copies.keys()].map((cluster) => this.forget(cluster)));
  }

  #start(client: KubeClient, cluster: string, path: string, { apiVersion, kind }: Resource): Informer<AnyObject> {
    const { selector, onChange, onError } = this.#options;
    return new Informer<AnyObject>({
      client,
      path: `${path}?labelSelector=${encodeURIComponent(selector)}`,
      onError: (error) => onError(cluster, error),
      trim: (object) => complete(object, apiVersion, kind),
      onChange: (_key, now, old) => onChange(cluster, now, old),
    });
  }
}

export const memberKey = (cluster: string, object: AnyObject): string =>
  `${cluster} ${object.apiVersion} ${object.kind} ${keyOf(object)}`;
