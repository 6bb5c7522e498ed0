/** Starts a simulated cluster in this process: an API server on a TLS port of loopback, and what makes it live. */

import { join } from 'node:path';
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
import { keepClusterFiles, openClusterFiles } from './cluster-files.ts';

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
  const url = `https://127.0.0.1:${listener.port}`;
  const running = starting.move();
  return {
    name,
    url,
    port: listener.port,
    kubeconfig: singleKubeconfig(name, url, files.ca.cert, files.admin),
    client: new KubeClient(upstream, 'simulator'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const openClusterStore = async (directory: string | undefined): Promise<ObjectStore> =>
  directory === undefined
    ? new LocalStore(new MemoryEngine())
    : openStore({ directory: join(directory, 'store'), encryptedPrefixes });
