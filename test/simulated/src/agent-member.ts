/** A simulated cluster that is reached through an agent, which runs in this process: its Cluster, its token and its ServiceAccounts. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { SimulatedCluster } from '@fleet/simulator/start-cluster.ts';
import { type AgentOptions, runAgent } from '@fleet/tunnel/agent.ts';
import type { AgentCredentials } from '@fleet/tunnel/control-messages.ts';
import { fingerprintOf } from '@fleet/tunnel/ssh2/host-key.ts';
import { type AgentToken, hashSecret, makeToken } from '@fleet/tunnel/token.ts';
import type { Product } from './product.ts';

export const clustersPath = '/apis/cluster.karmada.io/v1alpha1/clusters';
export const secretsPath = '/api/v1/namespaces/karmada-cluster/secrets';
const typeAnnotation = 'cluster.kubesphere.io/connection-type';

interface Fleet {
  product: Pick<Product, 'url'>;
  controlPlane: KubeClient;
}

/** Of the only replica. */
export async function fingerprintsOf({ controlPlane }: Pick<Fleet, 'controlPlane'>): Promise<string[]> {
  const map = await controlPlane.get<{ data: Record<string, string> }>(
    '/api/v1/namespaces/karmada-cluster/configmaps/fleet-agent-server',
  );
  return Object.values(map.data).map((line) => fingerprintOf(Buffer.from(line.split(' ')[1]!, 'base64')));
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Writes it beside those that are there, as a rotation does. */
export async function giveToken(fleet: Pick<Fleet, 'controlPlane'>, name: string, key = 'hash-1'): Promise<AgentToken> {
  const token = makeToken(name, await fingerprintsOf(fleet));
  const data = { [key]: base64(hashSecret(token.secret)) };
  const metadata = { name: `${name}-agent-token`, annotations: { 'fleet.karmada.io/cluster': name } };
  await fleet.controlPlane.patch(`${secretsPath}/${metadata.name}?fieldManager=${key}&force=true`, 'apply', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    data,
  });
  return token;
}

/** A Cluster of connection type proxy without an endpoint and credentials: its agent completes it. */
export const registerProxy = (
  { controlPlane }: Pick<Fleet, 'controlPlane'>,
  name: string,
  spec: object = {},
): Promise<unknown> =>
  controlPlane.create(clustersPath, {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, annotations: { [typeAnnotation]: 'proxy' } },
    spec: { syncMode: 'Push', ...spec },
  });

const rbac = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const system = '/api/v1/namespaces/kube-system';

/** Tokens of two ServiceAccounts that may do everything in the member, and its CA. */
export async function credentialsOf({ client }: SimulatedCluster): Promise<AgentCredentials> {
  const accounts = ['fleet-control', 'fleet-impersonator'];
  const subjects = accounts.map((name) => ({ kind: 'ServiceAccount', name, namespace: 'kube-system' }));
  const admins = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'fleet:admins' };
  await client.patch(`${rbac}/fleet?fieldManager=test&force=true`, 'apply', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'fleet' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [...subjects, admins],
  });
  const tokens = await Promise.all(
    accounts.map(async (name) => {
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } };
      await client.patch(`${system}/serviceaccounts/${name}?fieldManager=test&force=true`, 'apply', account);
      const { status } = await client.create<{ status: { token: string } }>(`${system}/serviceaccounts/${name}/token`, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      });
      return status.token;
    }),
  );
  const ca = await client.get<{ data: Record<string, string> }>(`${system}/configmaps/kube-root-ca.crt`);
  const [controlToken, impersonatorToken] = tokens as [string, string];
  return { caBundle: ca.data['ca.crt']!, controlToken, impersonatorToken };
}

export interface RunningAgent extends AsyncDisposable {
  log: string[];
  /** Of what it is connected by. */
  cut(): void;
}

export async function dialProduct({ url }: Pick<Product, 'url'>): Promise<ReturnType<typeof connect>> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** Until it is disposed of. */
export function startAgent(
  product: Pick<Product, 'url'>,
  token: AgentToken,
  { port }: Pick<SimulatedCluster, 'port'>,
  options: Partial<AgentOptions> = {},
): RunningAgent {
  const stop = new AbortController();
  const log: string[] = [];
  const sockets = new Set<ReturnType<typeof connect>>();
  const running = runAgent(
    {
      dial: async () => {
        const socket = await dialProduct(product);
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        return socket;
      },
      name: token.cluster,
      secret: token.secret,
      fingerprints: token.fingerprints,
      targets: { kubernetes: { host: '127.0.0.1', port } },
      version: '1.2.3',
      drainTime: 0,
      log: (_, text) => log.push(text),
      ...options,
    },
    stop.signal,
  );
  return {
    log,
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

export const handing = (credentials: AgentCredentials): NonNullable<AgentOptions['credentials']> => ({
  current: () => credentials,
  onChange: () => ({ [Symbol.dispose]: () => {} }),
});

/** All that makes a member usable through an agent. Disposing stops the agent. */
export async function joinThroughAgent(
  fleet: Fleet,
  cluster: SimulatedCluster,
  name: string,
  spec: object = {},
): Promise<RunningAgent> {
  await registerProxy(fleet, name, spec);
  const token = await giveToken(fleet, name);
  const agent = startAgent(fleet.product, token, cluster, { credentials: handing(await credentialsOf(cluster)) });
  const deadline = AbortSignal.timeout(30_000);
  for (;;) {
    const { status } = await fleet.controlPlane.get<{
      status?: { conditions?: { type: string; status: string }[] };
    }>(`${clustersPath}/${name}`, deadline);
    if (status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True')) return agent;
    await delay(50, undefined, { signal: deadline });
  }
}
