/** Starts a simulated cluster in this process: an API server on a TLS port of loopback, and what makes it live. */

import { join } from 'node:path';
import { memberAdmission } from '@fleet/apiserver/admission/admission.ts';
import { type ApiServer, encryptedPrefixes, openApiServer } from '@fleet/apiserver/api-server.ts';
import { privileged } from '@fleet/apiserver/authn/user.ts';
import { InProcessUpstream } from '@fleet/apiserver/http/in-process-upstream.ts';
import { listen } from '@fleet/apiserver/http/listener.ts';
import { LocalStore } from '@fleet/apiserver/store/local-store.ts';
import { MemoryEngine } from '@fleet/apiserver/store/memory/memory-engine.ts';
import type { ObjectStore } from '@fleet/apiserver/store/object-store.ts';
import { openStore } from '@fleet/apiserver/store/open-store.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { singleKubeconfig } from '@fleet/client/kubeconfig.ts';
import { SharedInformers } from '@fleet/client/shared-informers.ts';
import type { ClusterContext } from './cluster-context.ts';
import { keepClusterFiles, openClusterFiles } from './cluster-files.ts';
import { startControllers } from './controllers/start-controllers.ts';
import { Delays } from './delays.ts';
import { type Nodes, startNodes } from './nodes/nodes.ts';
import { startScheduler } from './scheduler/scheduler.ts';

export interface ClusterOptions {
  name: string;
  /** What `/version` and the nodes report, and nothing else, as in `v1.36.3`. */
  version?: string | undefined;
  nodes?: number | undefined;
  region?: string | undefined;
  zone?: string | undefined;
  /** Of delays and of all that is made up. */
  seed?: number | undefined;
  /** Delays are divided by it. */
  factor?: number | undefined;
  /** Where the cluster is kept: its store, port and CA. Without it all is in memory. */
  directory?: string | undefined;
  /** Any free one, or the one that is kept, if left out. */
  port?: number | undefined;
  onError(error: unknown): void;
}

export interface SimulatedCluster extends AsyncDisposable {
  name: string;
  /** As in `https://127.0.0.1:6443`. */
  url: string;
  port: number;
  /** YAML, of an administrator. */
  kubeconfig: string;
  /** Of an administrator, in process. */
  client: KubeClient;
  nodes: Nodes;
}

const newestVersion = 'v1.36.3';

export async function startCluster(options: ClusterOptions): Promise<SimulatedCluster> {
  const { name, version = newestVersion, directory, onError } = options;
  await using starting = new AsyncDisposableStack();
  const files = await openClusterFiles(directory);
  const store = starting.use(await openClusterStore(directory));
  const server: ApiServer = await openApiServer({
    store,
    gitVersion: version,
    admission: memberAdmission,
    access: { serviceAccountKey: files.serviceAccountKey, rootCa: files.ca.cert, clientCa: files.ca.cert },
    onInternalError: onError,
  });
  starting.use(server);
  const listener = starting.use(
    await listen(server.handler, {
      port: options.port ?? files.port ?? 0,
      tls: { ...files.serving, clientCa: files.ca.cert },
    }),
  );
  if (directory !== undefined) await keepClusterFiles(directory, { ...files, port: listener.port });
  const upstream = starting.use(new InProcessUpstream(server.handler, privileged('system:simulator')));
  const client = new KubeClient(upstream, 'simulator');
  const nodes = await startLife(starting, client, { ...options, version });
  const url = `https://127.0.0.1:${listener.port}`;
  const running = starting.move();
  return {
    name,
    url,
    port: listener.port,
    kubeconfig: singleKubeconfig(name, url, files.ca.cert, files.admin),
    client,
    nodes,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Controllers, scheduler and nodes, which share one copy of each resource. */
async function startLife(
  starting: AsyncDisposableStack,
  client: KubeClient,
  { name, version, nodes = 3, region, factor, seed, onError }: ClusterOptions & { version: string },
): Promise<Nodes> {
  const ending = new AbortController();
  const informers = starting.use(new SharedInformers({ client, onError }));
  const delays = new Delays({ factor, seed });
  const context: ClusterContext = { name, version, client, informers, delays, signal: ending.signal, onError };
  const running = starting.use(await startNodes(context, { count: nodes, region }));
  starting.use(await startScheduler(context));
  starting.use(startControllers(context));
  // What runs is aborted before anything of it is taken down.
  starting.defer(() => ending.abort());
  return running;
}

const openClusterStore = async (directory: string | undefined): Promise<ObjectStore> =>
  directory === undefined
    ? new LocalStore(new MemoryEngine())
    : openStore({ directory: join(directory, 'store'), encryptedPrefixes });
