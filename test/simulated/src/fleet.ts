/** A fleet of simulated clusters: the members in this process, the product in its own, joined by its command line. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueClient } from '@fleet/apiserver/pki/certificates.ts';
import { cacheFlags } from '@fleet/bed/cached/everything.ts';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint, singleKubeconfig } from '@fleet/client/kubeconfig.ts';
import { writePrivate } from '@fleet/client/private-file.ts';
import { type ClusterOptions, type SimulatedCluster, startCluster } from '@fleet/simulator/start-cluster.ts';
import { KubeConfig } from '@kubernetes/client-node';
import { joinThroughAgent } from './agent-member.ts';
import { cacheEverything } from './cached-fleet.ts';
import { type Product, type ProductOptions, readCa, startProduct } from './product.ts';

export interface SimulatedFleet extends AsyncDisposable {
  product: Product;
  members: Map<string, SimulatedCluster>;
  /** For temporary files. */
  folder: string;
  /** Starts a cluster and joins it. */
  add(name: string, options?: Partial<ClusterOptions>): Promise<SimulatedCluster>;
  /** Starts one again that was stopped, with the options that it was added with. */
  restart(name: string): Promise<void>;
  /** The control plane, as the administrator. */
  controlPlane: KubeClient;
  /** The merged view, as the administrator. */
  view: KubeClient;
  /** Of a user with a certificate of the product's CA; without one of its administrator. */
  config(user?: { name: string; groups?: readonly string[] }, path?: string): Promise<KubeConfig>;
}

export interface FleetOptions extends ProductOptions {
  members: readonly string[];
  /** Every kind of every member is registered, and filled when the member has joined (CACHE-17). */
  cached?: boolean | undefined;
  /** Members are reached through agents alone, which run in this process (AGENT-5). */
  agents?: boolean | undefined;
}

export async function startFleet({
  members: names,
  cached,
  agents,
  ...options
}: FleetOptions): Promise<SimulatedFleet> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'fleet-simulated-'));
  starting.defer(() => rm(folder, { recursive: true }));
  const errors: unknown[] = [];
  const members = new Map<string, SimulatedCluster>();
  const started = new Map<string, Omit<ClusterOptions, 'onError'>>();
  starting.defer(async () => {
    for (const member of members.values()) await member[Symbol.asyncDispose]();
    if (errors.length > 0) throw new AggregateError(errors, 'a simulated cluster reported errors');
  });
  const product = starting.use(await startProduct(options));
  const ended = starting.use(new AsyncDisposableStack());
  const ca = await readCa(product);
  const endpoint = await loadEndpoint(product.adminKubeconfig);
  const upstream = starting.use(new HttpsUpstream({ ...endpoint, url: `${product.url}/clusterspaces/karmada` }));
  const start = async (options: Omit<ClusterOptions, 'onError'>): Promise<SimulatedCluster> => {
    const cluster = await startCluster({ ...options, onError: (error) => errors.push(error) });
    members.set(options.name, cluster);
    started.set(options.name, options);
    return cluster;
  };
  const fleet: Omit<SimulatedFleet, typeof Symbol.asyncDispose> = {
    product,
    members,
    folder,
    controlPlane: new KubeClient(upstream),
    view: new KubeClient(starting.use(new HttpsUpstream({ ...endpoint, url: product.url }))),
    async add(name, clusterOptions = {}) {
      const cluster = await start({ name, ...clusterOptions });
      if (agents) {
        // Its port stays the same when it is started again.
        ended.use(await joinThroughAgent(fleet, cluster, name));
        if (cached) await cacheEverything(fleet, cluster, name);
        return cluster;
      }
      const path = join(folder, `${name}.kubeconfig`);
      await writePrivate(path, cluster.kubeconfig);
      const flags = cached ? cacheFlags : [];
      const { code, stderr } = await product.fleet('join', name, '--kubeconfig', path, ...flags);
      if (code !== 0) throw new Error(`fleet join ${name}: ${stderr}`);
      if (cached) await cacheEverything(fleet, cluster, name);
      return cluster;
    },
    async restart(name) {
      await start(started.get(name)!);
    },
    async config(user, path = '') {
      const { name, groups = [] } = user ?? { name: 'fleet:admin', groups: ['fleet:admins'] };
      const pair = await issueClient(ca, name, groups);
      const config = new KubeConfig();
      config.loadFromString(singleKubeconfig('fleet', `${product.url}${path}`, ca.cert, pair));
      return config;
    },
  };
  await Promise.all(names.map((name) => fleet.add(name)));
  const running = starting.move();
  return { ...fleet, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
