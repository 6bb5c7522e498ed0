/** kube-apiserver's verbs over the Clusters in the control plane, in KubeSphere's form. One registry per request. */

import { required } from '@fleet/apiserver/errors/field-error.ts';
import { conflict, invalid } from '@fleet/apiserver/errors/refusals.ts';
import type { Deleted, DeleteOptions } from '@fleet/apiserver/registry/delete.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import type { List } from '@fleet/apiserver/registry/list.ts';
import type { ObjectRegistry } from '@fleet/apiserver/registry/registry.ts';
import type { WriteOptions } from '@fleet/apiserver/registry/resource-context.ts';
import type { ResourceKind } from '@fleet/apiserver/registry/resource-kind.ts';
import type { Change, Updated, UpdateOptions } from '@fleet/apiserver/registry/update.ts';
import type { Watched } from '@fleet/apiserver/watch-cache/watcher.ts';
import { isStatus, type KubeClient, type KubeList } from '@fleet/client/kube-client.ts';
import { copyJson, type JsonObject } from '@fleet/kube/json-value.ts';
import { type Cluster, clustersPath } from '../members/cluster.ts';
import { prepareSecrets, withAccess } from './credentials.ts';
import { type Entry, entryOf, faceObject } from './face-entry.ts';
import { asFace } from './face-errors.ts';
import { type Credentials, readFace } from './face-rules.ts';
import { FaceWatch } from './face-watch.ts';
import type { KubeSphereCluster } from './kubesphere-cluster.ts';
import { stored } from './translate.ts';

export interface FaceRequest {
  /** The client's query: the control plane checks selectors, pages and versions. */
  query: URLSearchParams;
  /** The field manager of a write. */
  manager: string;
}

type Listed = KubeList<Cluster> & { metadata: { remainingItemCount?: number } };

const attempts = 5;
/** Per page: some megabytes. */
const pageSize = 50;
const pathOf = (name: string): string => `${clustersPath}/${encodeURIComponent(name)}`;

export class FaceRegistry implements ObjectRegistry {
  readonly kind: ResourceKind;
  readonly #client: KubeClient;
  readonly #request: FaceRequest;

  constructor(kind: ResourceKind, client: KubeClient, request: FaceRequest) {
    this.kind = kind;
    this.#client = client;
    this.#request = request;
  }

  async get(name: string, { resourceVersion = '' }: { resourceVersion?: string } = {}): Promise<Entry> {
    const query = resourceVersion ? `?resourceVersion=${encodeURIComponent(resourceVersion)}` : '';
    return entryOf(await asFace(this.#client.get<Cluster>(`${pathOf(name)}${query}`)));
  }

  /** Read in pages even without a limit: the status of a stored Cluster is large, and little of it is shown. */
  async list(): Promise<List> {
    const query = this.#listed();
    const isWhole = ['limit', 'continue'].some((name) => query.get(name)) || query.get('resourceVersion') === '0';
    if (!isWhole) query.set('limit', String(pageSize));
    let list = await this.#page(query);
    while (!isWhole && list.continue) {
      const { continue: next, remaining: _, ...before } = list;
      for (const name of ['resourceVersion', 'resourceVersionMatch']) query.delete(name);
      query.set('continue', next!);
      const page = await this.#page(query);
      list = { ...page, entries: [...before.entries, ...page.entries] };
    }
    return list;
  }

  watch({ signal }: { signal: AbortSignal }): Watched {
    return new FaceWatch({ client: this.#client, kind: this.kind, query: this.#listed(), signal });
  }

  async create(object: KubeObject, { dryRun, kindError }: WriteOptions = {}): Promise<KubeObject> {
    if (kindError) throw kindError(object.metadata.name ?? '');
    const credentials = await this.#credentials(object, undefined);
    this.#refuseNameless(object, credentials);
    const cluster = withAccess(stored(asFaceCluster(object), undefined), credentials);
    const query = this.#written(dryRun);
    const secrets = await prepareSecrets(this.#client, cluster.metadata.name, credentials, dryRun ? '?dryRun=All' : '');
    const made = await asFace(this.#client.create<Cluster>(`${clustersPath}?${query}`, cluster));
    try {
      await secrets.write();
    } catch (error) {
      // Undone as a whole: a Cluster without its credential is not what was requested.
      if (!dryRun) await this.#undo(made);
      throw error;
    }
    return faceObject(made);
  }

  async update(name: string, options: UpdateOptions, change: Change): Promise<Updated> {
    for (let attempt = 1; ; attempt++) {
      const current = await asFace(this.#client.get<Cluster>(pathOf(name)));
      const old = faceObject(current);
      const object = copyOf(await change(copyOf(old)));
      this.#refuseOther(name, old, options);
      if (options.kindError) throw options.kindError(name);
      const credentials = await this.#credentials(object, old);
      const cluster = withAccess(stored(asFaceCluster(object), current), credentials);
      const secrets = await prepareSecrets(this.#client, name, credentials, options.dryRun ? '?dryRun=All' : '');
      try {
        const path = `${pathOf(name)}?${this.#written(options.dryRun)}`;
        const written = await asFace(this.#client.replace<Cluster>(path, cluster));
        await secrets.write();
        return { object: faceObject(written), old, created: false };
      } catch (error) {
        // A patch is computed again from the current object. A client that named a version gets the conflict.
        const isCurrent = object.metadata.resourceVersion === old.metadata.resourceVersion;
        if (!isStatus(error, 409) || !isCurrent || attempt === attempts) throw error;
      }
    }
  }

  async delete(name: string, options: DeleteOptions = {}): Promise<Deleted> {
    const answer = await asFace(this.#client.delete<Cluster | Gone>(pathOf(name), deleteBody(options)));
    if (answer.kind !== 'Status') return { object: faceObject(answer as Cluster), gone: false };
    const { details } = answer as Gone;
    return { object: { apiVersion: '', kind: '', metadata: { name, uid: details?.uid ?? '' } }, gone: true };
  }

  async deleteCollection(_list: unknown, options: DeleteOptions): Promise<List> {
    const path = `${clustersPath}?${this.#listed()}`;
    return listOf(await asFace(this.#client.delete<Listed>(path, deleteBody(options))));
  }

  async admitDeletion(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  /** A written object must be valid by the face's schema and rules. The control plane checks the metadata. */
  async #credentials(object: KubeObject, old: KubeObject | undefined): Promise<Credentials> {
    const { strategy } = this.kind;
    const { credentials, errors } = readFace(asFaceCluster(object), old === undefined);
    const bySchema = old
      ? await strategy.validateUpdate?.(object, old, undefined)
      : await strategy.validateCreate?.(object);
    const all = [...(bySchema ?? []), ...errors];
    if (all.length > 0) throw invalid(this.kind, object.metadata.name ?? '', all);
    return credentials;
  }

  /** A Secret is named after its cluster. */
  #refuseNameless({ metadata }: KubeObject, { access, token }: Credentials): void {
    if (metadata.name || (!access && !token)) return;
    throw invalid(this.kind, '', [
      required('metadata.name', 'a name cannot be generated for a cluster with a credential'),
    ]);
  }

  async #page(query: URLSearchParams): Promise<List> {
    return listOf(await asFace(this.#client.get<Listed>(`${clustersPath}?${query}`)));
  }

  #refuseOther(name: string, { metadata }: KubeObject, { uid }: UpdateOptions): void {
    if (!uid || uid === metadata.uid) return;
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
    throw conflict(this.kind, name, why);
  }

  #listed(): URLSearchParams {
    const query = new URLSearchParams(this.#request.query);
    for (const own of ['watch', 'includeObject', 'pretty', 'dryRun', 'propagationPolicy']) query.delete(own);
    return query;
  }

  #written(dryRun = false): URLSearchParams {
    return new URLSearchParams({ fieldManager: this.#request.manager, ...(dryRun ? { dryRun: 'All' } : {}) });
  }

  async #undo({ metadata: { name, uid } }: Cluster): Promise<void> {
    await this.#client.delete(pathOf(name), { preconditions: { uid } }).catch(() => {});
  }
}

interface Gone {
  kind: 'Status';
  details?: { uid?: string };
}

const asFaceCluster = (object: KubeObject): KubeSphereCluster => object as unknown as KubeSphereCluster;

const copyOf = (object: KubeObject): KubeObject => copyJson(object as unknown as JsonObject) as unknown as KubeObject;

function listOf({ metadata, items }: Listed): List {
  const { resourceVersion, continue: next, remainingItemCount: remaining } = metadata;
  return {
    revision: Number(resourceVersion),
    entries: (items ?? []).map(entryOf),
    ...(next ? { continue: next } : {}),
    ...(remaining === undefined ? {} : { remaining }),
  };
}

const deleteBody = ({ dryRun, preconditions, propagationPolicy, orphanDependents, ...rest }: DeleteOptions) => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  ...(dryRun ? { dryRun: ['All'] } : {}),
  ...(preconditions ? { preconditions } : {}),
  ...(propagationPolicy ? { propagationPolicy } : {}),
  ...(orphanDependents === undefined ? {} : { orphanDependents }),
  ...(rest.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: rest.gracePeriodSeconds }),
});
