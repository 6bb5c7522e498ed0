/** One real cluster on loopback: its processes, its credentials, its audit log, and the faults it can be given. */
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from './api.ts';
import { assemble } from './assemble.ts';
import type { AuthorizationWebhook } from './authorization.ts';
import {
  type Binary,
  etcd,
  kubernetes,
  kwok,
  metricsServer,
  nodeServer,
  resolveVersion,
  type VersionName,
} from './binaries.ts';
import { build } from './build.ts';
import { clear } from './clear.ts';
import type { Faults } from './faults.ts';
import type { Kubectl, KubectlOptions, KubectlResult } from './kubectl.ts';
import type { Pair } from './pki.ts';
import { releaseRun, watchRun } from './watched.ts';

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
  /** Asked beside Node and RBAC; its server runs before the member is started. */
  authorizationWebhook?: AuthorizationWebhook;
  /** How soon old versions expire, such as `5s`; five minutes otherwise. */
  compactionInterval?: string;
  /** By name; otherwise all that Kubernetes has. */
  controllers?: readonly string[];
  /** What to mark its processes with; random otherwise. */
  run?: string;
  /** Some deployments, pods and a custom resource, running when this returns. */
  workloads?: boolean;
  /** A metrics-server that knows the nodes when this returns, and pods a little later, for `kubectl top`. */
  metrics?: boolean;
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
  await build([...binariesOf(version, options.nodes ?? 2), ...(options.metrics ? [metricsServer] : [])]);
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), `fleet-bed-${options.name}-`)));
  const run = options.run ?? randomUUID();
  watchRun(run, dir);
  try {
    return await assemble(options, { version, dir, run });
  } catch (error) {
    await clear(run, dir);
    releaseRun(run);
    throw error;
  }
}

/** What a member of this version needs. */
export function binariesOf(version: VersionName, nodes: number): Binary[] {
  const control = ['kube-apiserver', 'kube-controller-manager', 'kubectl'] as const;
  const running = [kubernetes('kube-scheduler', version), kwok, nodeServer];
  return [etcd, ...control.map((name) => kubernetes(name, version)), ...(nodes > 0 ? running : [])];
}
