/** One of two clusters that are compared: kubectl, and a live copy of what controllers and the scheduler write. */

import { type KubectlResult, runKubectl } from '@fleet/bed/kubectl.ts';
import { until } from '@fleet/bed/until.ts';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { Informer } from '@fleet/client/informer.ts';
import { KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { GeneratedNames } from './generated-names.ts';

/** By resource: where it is served. */
const groups = {
  pods: '/api/v1',
  services: '/api/v1',
  endpoints: '/api/v1',
  replicationcontrollers: '/api/v1',
  events: '/api/v1',
  deployments: '/apis/apps/v1',
  replicasets: '/apis/apps/v1',
  statefulsets: '/apis/apps/v1',
  daemonsets: '/apis/apps/v1',
  controllerrevisions: '/apis/apps/v1',
  jobs: '/apis/batch/v1',
  cronjobs: '/apis/batch/v1',
  horizontalpodautoscalers: '/apis/autoscaling/v2',
  poddisruptionbudgets: '/apis/policy/v1',
  endpointslices: '/apis/discovery.k8s.io/v1',
} as const;

export type Resource = keyof typeof groups;
export const resources = Object.keys(groups) as Resource[];

/** An object as it is served; parts are looked into where they are needed. */
export interface Served extends KubeObject {
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  [field: string]: unknown;
}

export type Contents = Readonly<Record<Resource, readonly Served[]>>;

export interface ClusterPlace {
  /** Path. */
  kubeconfig: string;
  folder: string;
  /** The mark of processes. */
  run: string;
}

export class ComparedCluster implements AsyncDisposable {
  readonly names = new GeneratedNames();
  readonly #place: ClusterPlace;
  readonly #upstream: HttpsUpstream;
  readonly #client: KubeClient;
  readonly #copies = new Map<Resource, Informer<Served>>();
  readonly #nodes: Informer<Served>;
  readonly #changes = new Map<string, number>();

  private constructor(place: ClusterPlace, upstream: HttpsUpstream) {
    this.#place = place;
    this.#upstream = upstream;
    this.#client = new KubeClient(upstream);
    // A copy goes on by itself; if it does not, whoever waits for it fails.
    const onError = (error: unknown) => console.warn(`a copy of ${place.kubeconfig}:`, error);
    for (const resource of resources) {
      const onChange = (_: string, now: Served | undefined, old: Served | undefined) => {
        if (now) this.names.add(now);
        const namespace = (now ?? old)?.metadata.namespace ?? '';
        this.#changes.set(namespace, this.changes(namespace) + 1);
      };
      const options = { client: this.#client, path: `${groups[resource]}/${resource}`, onChange, onError };
      this.#copies.set(resource, new Informer<Served>(options));
    }
    const onChange = () => void this.#changes.set('', this.changes('') + 1);
    this.#nodes = new Informer<Served>({ client: this.#client, path: '/api/v1/nodes', onChange, onError });
  }

  static async connect(place: ClusterPlace): Promise<ComparedCluster> {
    const cluster = new ComparedCluster(place, new HttpsUpstream(await loadEndpoint(place.kubeconfig)));
    await Promise.all([...cluster.#copies.values(), cluster.#nodes].map(({ synced }) => synced));
    return cluster;
  }

  kubectl(namespace: string, args: readonly string[], stdin = ''): Promise<KubectlResult> {
    const { kubeconfig, folder, run } = this.#place;
    const spec = { version: 'newest', kubeconfig, folder, run } as const;
    return runKubectl(spec, ['--namespace', namespace, ...args, { stdin }]);
  }

  /** Pods can be created in it when this returns. */
  async createNamespace(name: string): Promise<void> {
    await this.#client.create('/api/v1/namespaces', { metadata: { name } });
    const account = `/api/v1/namespaces/${name}/serviceaccounts/default`;
    await until('the default ServiceAccount', () => this.#client.get(account));
  }

  contents(namespace: string): Contents {
    const of = (resource: Resource) =>
      [...this.#copies.get(resource)!.values()].filter(({ metadata }) => metadata.namespace === namespace);
    return Object.fromEntries(resources.map((resource) => [resource, of(resource)])) as unknown as Contents;
  }

  /** How many there have been, so that nobody compares again what has not changed. Nodes belong to no namespace. */
  changes(namespace: string): number {
    return this.#changes.get(namespace) ?? 0;
  }

  nodes(): readonly Served[] {
    return [...this.#nodes.values()];
  }

  /** The copy holds what is there now, or something newer: what a command has done is in it. */
  async seen(namespace: string): Promise<void> {
    // One after the other, as many scripts do so at once.
    for (const resource of resources) {
      const path = `${groups[resource]}/namespaces/${namespace}/${resource}`;
      await this.#seen(this.#copies.get(resource)!, path, namespace);
    }
    await this.#seen(this.#nodes, '/api/v1/nodes');
  }

  async #seen(copy: Informer<Served>, path: string, namespace?: string): Promise<void> {
    const { items, metadata } = await until(`a list of ${path}`, () => this.#client.list<Served>(path));
    const now = new Map(items.map((item) => [item.metadata.uid, version(item)]));
    const isSeen = () => {
      const known = [...copy.values()].filter((one) => !namespace || one.metadata.namespace === namespace);
      const versions = new Map(known.map((one) => [one.metadata.uid, version(one)]));
      const isHeld = ([uid, at]: [string | undefined, number]) =>
        (versions.get(uid) ?? 0) >= at || copy.version > Number(metadata.resourceVersion);
      const isGone = ([uid, at]: [string | undefined, number]) =>
        !now.has(uid) && at <= Number(metadata.resourceVersion);
      return [...now].every(isHeld) && ![...versions].some(isGone);
    };
    await until(`the copy of ${path} is as new as the server's`, isSeen, { timeout: 30_000 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#copies.values(), this.#nodes].map((copy) => copy[Symbol.asyncDispose]()));
    await this.#upstream[Symbol.asyncDispose]();
  }
}

const version = ({ metadata }: Served): number => Number(metadata.resourceVersion);
