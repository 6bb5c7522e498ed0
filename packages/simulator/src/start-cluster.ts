/** Starts a simulated cluster in this process: an API server on a TLS port of loopback, with controllers, a scheduler and nodes. */

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
  /** The version that `/version` and the nodes report, such as `v1.36.3`; it changes nothing else. */
  version?: string | undefined;
  nodes?: number | undefined;
  region?: string | undefined;
  /** Seeds delays and all generated values. */
  seed?: number | undefined;
  /** The divisor of delays. */
  factor?: number | undefined;
  /** The folder for the cluster's store, port and CA. Without it everything is in memory. */
  directory?: string | undefined;
  /** By default any free port, or the stored one. */
  port?: number | undefined;
  onError(error: unknown): void;
  /** Called for each request over its port. */
  onRequest?: ((request: Pick<ApiRequest, 'method' | 'url' | 'headers'>) => void) | undefined;
  /** What its port answers instead of the cluster, as a server that lies; undefined leaves the answer to the cluster. */
  answer?: ((request: Pick<ApiRequest, 'method' | 'url' | 'headers'>) => ApiReply | undefined) | undefined;
}

export interface SimulatedCluster extends AsyncDisposable {
  name: string;
  /** For example `https://127.0.0.1:6443`. */
  url: string;
  port: number;
  /** The cluster's former URL, if another program has taken that port since. */
  formerUrl: string | undefined;
  /** YAML, for an administrator. */
  kubeconfig: string;
  /** For an administrator, in process. */
  client: KubeClient;
  nodes: Nodes;
  /** Creates running pods in the namespace `load` that controllers and nodes ignore, so that they cost only their bytes. */
  fill(count: number, options?: FillOptions): Promise<void>;
  /** How many of these pods exist. */
  filled(): Promise<number>;
}

const newestVersion = 'v1.36.3';
const usualNodes = 3;

export async function startCluster(options: ClusterOptions): Promise<SimulatedCluster> {
  const { name, version = newestVersion, directory, seed, factor } = options;
  const ending = new AbortController();
  // Requests that the shutdown aborts are not errors.
  const onError = (error: unknown) => {
    if (!ending.signal.aborted) options.onError(error);
  };
  await using starting = new AsyncDisposableStack();
  const identity = await openClusterIdentity(directory);
  const store = starting.use(await openClusterStore(directory));

  // The server needs the nodes, and the nodes need the server: each gets the other once it exists.
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
  // Work in progress is aborted before anything that it uses is closed.
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
