/** Starts a simulated cluster in this process: an API server on a TLS port of loopback, and what makes it live. */

import { join } from 'node:path';
import { memberAdmission } from '@fleet/apiserver/admission/admission.ts';
import { type ApiServer, encryptedPrefixes, openApiServer } from '@fleet/apiserver/api-server.ts';
import { privileged } from '@fleet/apiserver/authn/user.ts';
import { InProcessUpstream } from '@fleet/apiserver/http/in-process-upstream.ts';
import { listen } from '@fleet/apiserver/http/listener.ts';
import type { ApiHandler, ApiReply, ApiRequest } from '@fleet/apiserver/http/message.ts';
import { LocalStore } from '@fleet/apiserver/store/local-store.ts';
import { MemoryEngine } from '@fleet/apiserver/store/memory/memory-engine.ts';
import type { ObjectStore } from '@fleet/apiserver/store/object-store.ts';
import { openStore } from '@fleet/apiserver/store/open-store.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { singleKubeconfig } from '@fleet/client/kubeconfig.ts';
import { SharedInformers } from '@fleet/client/shared-informers.ts';
import type { ClusterContext } from './cluster-context.ts';
import { keepClusterIdentity, openClusterIdentity } from './cluster-identity.ts';
import { createConnector } from './connector.ts';
import { startControllers } from './controllers/start-controllers.ts';
import { Delays } from './delays.ts';
import { type FillOptions, fill, filled, inert } from './fill.ts';
import { createKubernetesService } from './kubernetes-service.ts';
import { metricsResources } from './metrics/metrics-resources.ts';
import { type Nodes, startNodes } from './nodes/nodes.ts';
import { startScheduler } from './scheduler/scheduler.ts';

export interface ClusterOptions {
  name: string;
  /** What `/version` and the nodes report, and nothing else, as in `v1.36.3`. */
  version?: string | undefined;
  nodes?: number | undefined;
  region?: string | undefined;
  /** Of delays and of all that is made up. */
  seed?: number | undefined;
  /** Delays are divided by it. */
  factor?: number | undefined;
  /** Where the cluster is kept: its store, port and CA. Without it all is in memory. */
  directory?: string | undefined;
  /** Any free one, or the one that is kept, if left out. */
  port?: number | undefined;
  onError(error: unknown): void;
  /** Called with each request that comes over its port. */
  onRequest?: ((request: Pick<ApiRequest, 'method' | 'url' | 'headers'>) => void) | undefined;
  /** What its port answers instead of the cluster, as a server that lies; undefined leaves the answer to the cluster. */
  answer?: ((request: Pick<ApiRequest, 'method' | 'url' | 'headers'>) => ApiReply | undefined) | undefined;
}

export interface SimulatedCluster extends AsyncDisposable {
  name: string;
  /** As in `https://127.0.0.1:6443`. */
  url: string;
  port: number;
  /** Where the cluster was the last time, if another program has taken that port since. */
  formerUrl: string | undefined;
  /** YAML, of an administrator. */
  kubeconfig: string;
  /** Of an administrator, in process. */
  client: KubeClient;
  nodes: Nodes;
  /** Makes so many running pods that nothing acts on and that cost their bytes alone, in the namespace `load`. */
  fill(count: number, options?: FillOptions): Promise<void>;
  /** How many of them there are. */
  filled(): Promise<number>;
}

const newestVersion = 'v1.36.3';
const usualNodes = 3;

export async function startCluster(options: ClusterOptions): Promise<SimulatedCluster> {
  const { name, version = newestVersion, directory, seed, factor } = options;
  const ending = new AbortController();
  // What is broken off by the end is no error.
  const onError = (error: unknown) => {
    if (!ending.signal.aborted) options.onError(error);
  };
  await using starting = new AsyncDisposableStack();
  const identity = await openClusterIdentity(directory);
  const store = starting.use(await openClusterStore(directory));

  // The server asks the nodes, and they ask the server: each reaches the other once it is there.
  let nodes: Nodes | undefined;
  const upstream = new InProcessUpstream((request) => server.handler(request), privileged('system:simulator'));
  const client = new KubeClient(upstream, 'simulator');
  const dependencies = { name, seed, client: () => client, nodes: () => nodes, onError };
  const server: ApiServer = await openApiServer({
    store,
    gitVersion: version,
    admission: memberAdmission,
    access: { serviceAccountKey: identity.serviceAccountKey, rootCa: identity.ca.cert, clientCa: identity.ca.cert },
    connector: createConnector(dependencies),
    computed: metricsResources(dependencies),
    onInternalError: onError,
  });
  starting.use(server);
  starting.use(upstream);

  const informers = starting.use(new SharedInformers({ client, onError, selectors: { '/api/v1/pods': `!${inert}` } }));
  const delays = new Delays({ factor, seed });
  const context: ClusterContext = { name, version, client, informers, delays, signal: ending.signal, onError };
  nodes = starting.use(await startNodes(context, { count: options.nodes ?? usualNodes, region: options.region }));
  starting.use(await startScheduler(context));
  starting.use(startControllers(context));
  const tls = { ...identity.serving, clientCa: identity.ca.cert };
  const handler: ApiHandler = (request) => {
    options.onRequest?.(request);
    const answer = options.answer?.(request);
    return answer ? Promise.resolve(answer) : server.handler(request);
  };
  const listenAt = (port: number) => listen(handler, { port, tls });
  const kept = options.port === undefined ? identity.port : undefined;
  const listener = starting.use(
    await listenAt(options.port ?? kept ?? 0).catch((error: NodeJS.ErrnoException) => {
      if (kept === undefined || error.code !== 'EADDRINUSE') throw error;
      return listenAt(0);
    }),
  );
  await createKubernetesService(client, listener.port);
  if (directory !== undefined) await keepClusterIdentity(directory, { ...identity, port: listener.port });
  // What is under way is aborted before anything that it needs is taken down.
  starting.defer(() => ending.abort());
  const urlAt = (port: number) => `https://127.0.0.1:${port}`;
  const url = urlAt(listener.port);
  const running = starting.move();
  return {
    name,
    url,
    port: listener.port,
    formerUrl: kept === undefined || kept === listener.port ? undefined : urlAt(kept),
    kubeconfig: singleKubeconfig(name, url, identity.ca.cert, identity.admin),
    client,
    nodes,
    fill: (count, options) => fill(count, { client, store, nodes: nodes!.names }, options),
    filled: async () => (await filled(store)).count,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const openClusterStore = async (directory: string | undefined): Promise<ObjectStore> =>
  directory === undefined
    ? new LocalStore(new MemoryEngine())
    : openStore({ directory: join(directory, 'store'), encryptedPrefixes });
