import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Apiserver } from './apiserver.ts';
import { authorizationFiles } from './authorization.ts';
import { binaryPath, kubernetes, type VersionName } from './binaries.ts';
import { Child } from './child.ts';
import { clear } from './clear.ts';
import { auditPolicy, controllerManagerArguments } from './control-plane.ts';
import { createCredentials } from './credentials.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { faultsOf } from './faults.ts';
import { kubeconfig } from './kubeconfig.ts';
import { type KubectlSpec, runKubectl, startKubectl } from './kubectl.ts';
import type { Member, MemberOptions } from './member.ts';
import { startMetricsServer } from './metrics-server.ts';
import { createNodes, type NodesSpec, nodesReady, startNodes } from './nodes.ts';
import type { Pair } from './pki.ts';
import { Store } from './store.ts';
import { until } from './until.ts';
import { releaseRun } from './watched.ts';
import { applyWorkloads } from './workloads.ts';

/** Where a member lives and how its processes are known. */
export interface Place {
  version: VersionName;
  dir: string;
  run: string;
}

/** Starts the processes in their order and puts the member together; its caller clears up after a failure. */
export async function assemble(options: MemberOptions, { version, dir, run }: Place): Promise<Member> {
  const { name, nodes: count = 2 } = options;
  await Promise.all(['logs', 'kubeconfig'].map((folder) => mkdir(join(dir, folder), { recursive: true })));
  await writeFile(join(dir, 'audit-policy.yaml'), auditPolicy);
  const credentials = await createCredentials(dir);
  const ca = credentials.authority.cert;
  const store = await Store.start(dir, run);

  const { compactionInterval, authorizationWebhook, extraApiserverFlags: extra } = options;
  const hasWebhook = authorizationWebhook !== undefined;
  for (const [file, text] of Object.entries(hasWebhook ? authorizationFiles(authorizationWebhook, dir) : {}))
    await writeFile(join(dir, file), text);
  const apiserver = await Apiserver.start({
    folder: dir,
    run,
    version,
    credentials,
    options: { compactionInterval, hasWebhook, extra },
  });
  const { api, server: directServer } = apiserver;
  const proxy = options.faults ? await startFaultProxy(apiserver.port) : undefined;
  const server = proxy ? `https://127.0.0.1:${proxy.port}` : directServer;
  const writeKubeconfig = async (file: string, user: string, pair: Pair, server: string) => {
    const path = join(dir, 'kubeconfig', file);
    await writeFile(path, kubeconfig({ cluster: name, server, ca, user, credential: pair }), { mode: 0o600 });
    return path;
  };
  const [through, direct] = await Promise.all([
    writeKubeconfig('admin', 'admin', credentials.admin, server),
    writeKubeconfig('admin-direct', 'admin', credentials.admin, directServer),
    writeKubeconfig('controller-manager', 'controller-manager', credentials.controllerManager, directServer),
    writeKubeconfig('scheduler', 'scheduler', credentials.scheduler, directServer),
    writeKubeconfig('kwok', 'kwok', credentials.kwok, directServer),
    writeKubeconfig('metrics-server', 'metrics-server', credentials.metricsServer, directServer),
  ]);
  const controllers = new Child({
    name: 'kube-controller-manager',
    path: binaryPath(kubernetes('kube-controller-manager', version)),
    args: controllerManagerArguments(options.controllers),
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
  const metrics = options.metrics ? await startMetricsServer({ folder: dir, run, api, ca, nodes: count }) : undefined;
  if (metrics) children.push(metrics.child);

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
    faults: faultsOf({ member: name, folder: dir, apiserver, store, authority: credentials.authority, proxy }),
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
      releaseRun(run);
      apiserver.close();
      await proxy?.[Symbol.asyncDispose]();
    },
  };
  if (options.workloads) await applyWorkloads(member, count);
  await metrics?.ready();
  return member;
}
