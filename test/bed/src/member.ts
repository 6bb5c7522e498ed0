/** One real cluster on loopback: its processes, its credentials, its audit log, and the faults it can be given. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from './api.ts';
import { Apiserver } from './apiserver.ts';
import {
  type Binary,
  binaryPath,
  etcd,
  kubernetes,
  kwok,
  nodeServer,
  resolveVersion,
  type VersionName,
} from './binaries.ts';
import { build } from './build.ts';
import { Child } from './child.ts';
import { auditPolicy, controllerManagerArguments, etcdArguments } from './control-plane.ts';
import { createCredentials } from './credentials.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { kubeconfig } from './kubeconfig.ts';
import {
  type Kubectl,
  type KubectlOptions,
  type KubectlResult,
  type KubectlSpec,
  runKubectl,
  startKubectl,
} from './kubectl.ts';
import { createNodes, type NodesSpec, nodesReady, startNodes } from './nodes.ts';
import type { Pair } from './pki.ts';
import { killMarked } from './run-mark.ts';
import { until } from './until.ts';
import { releaseRun, watchRun } from './watched.ts';
import { applyWorkloads } from './workloads.ts';

export interface MemberOptions {
  name: string;
  version?: VersionName;
  /** Default 2; 0 gives a bare control plane: no scheduler, no kwok, no node server. */
  nodes?: number;
  /** A fault proxy in front; `kubeconfig` and `server` then lead through it. */
  faults?: boolean;
  /** Its folder; removed at the end. */
  dir?: string;
  extraApiserverFlags?: readonly string[];
  /** How soon old versions expire, such as `5s`; five minutes otherwise. */
  compactionInterval?: string;
  /** Some deployments, pods and a custom resource, running when this returns. */
  workloads?: boolean;
}

export interface Faults {
  /** SIGSTOP: accepts connections, answers nothing. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
  /** Again, after kill or stop, with the same data and port; ready when this returns. */
  start(): Promise<void>;
  /** Only with the option `faults`. */
  readonly proxy: FaultProxy;
}

export interface Member extends AsyncDisposable {
  readonly name: string;
  /** Such as `v1.36.3`. */
  readonly version: string;
  readonly dir: string;
  /** What its processes are marked with. */
  readonly run: string;
  /** Path; an admin in `system:masters`, through the fault proxy if there is one. */
  readonly kubeconfig: string;
  readonly directKubeconfig: string;
  readonly server: string;
  readonly directServer: string;
  /** PEM. */
  readonly ca: string;
  readonly admin: Pair;
  /** Path; JSON lines. */
  readonly auditLog: string;
  readonly faults: Faults;
  /** Asks the API server directly, as the admin. */
  readonly api: Api;
  /** kubectl of the member's version, directly, as the admin. */
  kubectl(...args: (string | KubectlOptions)[]): Promise<KubectlResult>;
  /** The same for commands that go on, such as port-forward; ends with the member at the latest. */
  startKubectl(...args: string[]): Kubectl;
  /** Writes a kubeconfig for a user with a certificate of the member's CA, and returns its path. */
  userKubeconfig(user: string, groups?: readonly string[]): Promise<string>;
  /** The member goes on after this process has ended. */
  release(): void;
}

export async function startMember(options: MemberOptions): Promise<Member> {
  const version = resolveVersion(options.version ?? 'newest') as VersionName;
  await build(binariesOf(version, options.nodes ?? 2));
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), `fleet-bed-${options.name}-`)));
  const run = randomUUID();
  watchRun(run, dir);
  try {
    return await assemble(options, { version, dir, run });
  } catch (error) {
    await clear(run, dir);
    throw error;
  }
}

/** What a member of this version needs. */
export function binariesOf(version: VersionName, nodes: number): Binary[] {
  const control = ['kube-apiserver', 'kube-controller-manager', 'kubectl'] as const;
  const running = [kubernetes('kube-scheduler', version), kwok, nodeServer];
  return [etcd, ...control.map((name) => kubernetes(name, version)), ...(nodes > 0 ? running : [])];
}

/** Ends a member by its mark, from any process. */
export async function clear(run: string, dir: string): Promise<void> {
  await killMarked(run);
  await rm(dir, { recursive: true, force: true });
  releaseRun(run);
}

interface Place {
  version: VersionName;
  dir: string;
  run: string;
}

async function assemble(options: MemberOptions, { version, dir, run }: Place): Promise<Member> {
  const { name, nodes: count = 2 } = options;
  await Promise.all(['logs', 'kubeconfig'].map((folder) => mkdir(join(dir, folder), { recursive: true })));
  await writeFile(join(dir, 'audit-policy.yaml'), auditPolicy);
  const credentials = await createCredentials(dir);
  const ca = credentials.authority.cert;
  const store = new Child({ name: 'etcd', path: binaryPath(etcd), args: etcdArguments(), folder: dir, run });
  await until('etcd listens', () => existsSync(join(dir, 'etcd:2379')), { failed: store.ended });

  const { compactionInterval, extraApiserverFlags: extra } = options;
  const apiserver = await Apiserver.start({
    folder: dir,
    run,
    version,
    credentials,
    options: { compactionInterval, extra },
  });
  const { api, server: directServer } = apiserver;
  const proxy = options.faults ? await startFaultProxy(apiserver.port) : undefined;
  const server = proxy ? `https://127.0.0.1:${proxy.port}` : directServer;
  const writeKubeconfig = async (file: string, user: string, pair: Pair, server: string) => {
    const path = join(dir, 'kubeconfig', file);
    await writeFile(path, kubeconfig({ cluster: name, server, ca, user, pair }), { mode: 0o600 });
    return path;
  };
  const [through, direct] = await Promise.all([
    writeKubeconfig('admin', 'admin', credentials.admin, server),
    writeKubeconfig('admin-direct', 'admin', credentials.admin, directServer),
    writeKubeconfig('controller-manager', 'controller-manager', credentials.controllerManager, directServer),
    writeKubeconfig('scheduler', 'scheduler', credentials.scheduler, directServer),
    writeKubeconfig('kwok', 'kwok', credentials.kwok, directServer),
  ]);
  const controllers = new Child({
    name: 'kube-controller-manager',
    path: binaryPath(kubernetes('kube-controller-manager', version)),
    args: controllerManagerArguments(),
    folder: dir,
    run,
  });
  const nodes: NodesSpec = { member: name, folder: dir, run, version, count, server: directServer, api };
  const children = [store, controllers, ...(count > 0 ? await startNodes(nodes) : [])];
  const failed = Promise.race([apiserver.ended, ...children.map(({ ended }) => ended)]);
  const account = '/api/v1/namespaces/default/serviceaccounts/default';
  if (count > 0) await createNodes(nodes);
  await Promise.all([
    until('the default ServiceAccount exists', async () => (await api.ask(account)).code === 200, { failed }),
    count > 0 ? nodesReady(nodes, failed) : undefined,
  ]);

  const kubectl: KubectlSpec = { version, kubeconfig: direct, folder: dir, run };
  const member: Member = {
    name,
    version,
    dir,
    run,
    kubeconfig: through,
    directKubeconfig: direct,
    server,
    directServer,
    ca,
    admin: credentials.admin,
    auditLog: join(dir, 'audit.log'),
    api,
    faults: {
      freeze: () => apiserver.freeze(),
      thaw: () => apiserver.thaw(),
      kill: () => apiserver.kill(),
      stop: () => apiserver.stop(),
      start: () => apiserver.start(),
      get proxy() {
        if (!proxy) throw new Error(`${name} was started without { faults: true }`);
        return proxy;
      },
    },
    kubectl: (...args) => runKubectl(kubectl, args),
    startKubectl: (...args) => startKubectl(kubectl, args),
    async userKubeconfig(user, groups = []) {
      const pair = await credentials.authority.issue({ name: user, groups });
      return writeKubeconfig(`user-${encodeURIComponent(user)}-${randomUUID().slice(0, 8)}`, user, pair, server);
    },
    release() {
      releaseRun(run);
      for (const child of [apiserver, ...children]) child.unref();
      api[Symbol.dispose]();
    },
    async [Symbol.asyncDispose]() {
      await clear(run, dir);
      apiserver.close();
      await proxy?.[Symbol.asyncDispose]();
    },
  };
  if (options.workloads) await applyWorkloads(member, count);
  return member;
}
