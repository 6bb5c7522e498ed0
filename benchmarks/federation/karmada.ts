/** A real Karmada over a control plane and members of the bed: its controller manager, scheduler and webhook, as its own manifests run them. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from '@fleet/bed/api.ts';
import { binaryPath, type KarmadaComponent, karmadaComponents, karmadaControlPlane } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { Child } from '@fleet/bed/child.ts';
import type { Member } from '@fleet/bed/member.ts';
import { createAuthority } from '@fleet/bed/pki.ts';
import { freePort } from '@fleet/bed/ports.ts';
import { until } from '@fleet/bed/until.ts';
import { parseAllDocuments } from 'yaml';
import { karmadaDefinitions, karmadaFile } from '../embedded/karmada-definitions.ts';

export interface Karmada {
  pids: readonly number[];
}

export const buildKarmada = (): Promise<void> => build(karmadaComponents.map(karmadaControlPlane));

/** What it waits for otherwise is its own limits (40 requests a second), not its work. */
const rates = ['--kube-api-qps=500', '--kube-api-burst=1000'];

const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';

export async function startKarmada(
  stack: AsyncDisposableStack,
  controlPlane: Member,
  members: readonly Member[],
): Promise<Karmada> {
  const { api, directKubeconfig } = controlPlane;
  const certificates = await mkdtemp(join(tmpdir(), 'fleet-bench-karmada-'));
  stack.defer(() => rm(certificates, { recursive: true }));
  for (const body of await karmadaDefinitions()) await create(api, definitionsPath, body);
  const cluster = new URL('../../packages/server/manifests/clusters.cluster.karmada.io.json', import.meta.url);
  await create(api, definitionsPath, JSON.parse(await readFile(cluster, 'utf8')) as object);
  for (const name of ['karmada-system', 'karmada-cluster']) {
    await create(api, '/api/v1/namespaces', { metadata: { name } });
  }
  await until('Clusters are served', async () => (await api.ask(clusters)).code === 200);
  const start = async (name: KarmadaComponent, ...args: string[]): Promise<number> => {
    const bound = async (flag: string) => `--${flag}=127.0.0.1:${await freePort()}`;
    const child = new Child({
      name,
      path: binaryPath(karmadaControlPlane(name)),
      args: [
        `--kubeconfig=${directKubeconfig}`,
        await bound('metrics-bind-address'),
        await bound('health-probe-bind-address'),
        ...rates,
        ...args,
      ],
      folder: controlPlane.dir,
      run: controlPlane.run,
    });
    stack.defer(() => child.end('SIGKILL'));
    return child.pid;
  };
  const webhook = await startWebhook(api, certificates, start);
  const scheduler = await start('karmada-scheduler', '--enable-scheduler-estimator=false', '--leader-elect=false');
  const manager = await start(
    'karmada-controller-manager',
    '--cluster-api-qps=500',
    '--cluster-api-burst=1000',
    '--leader-elect=false',
  );
  for (const member of members) await register(api, member);
  await untilReady(api, members.length);
  return { pids: [manager, scheduler, webhook] };
}

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const create = <T>(api: Api, path: string, body: object): Promise<T> => api.object<T>(path, { method: 'POST', body });

/** The policies' defaults and all permanent ids are its work. */
async function startWebhook(
  api: Api,
  folder: string,
  start: (name: KarmadaComponent, ...args: string[]) => Promise<number>,
): Promise<number> {
  const authority = await createAuthority('karmada-webhook-ca');
  const { cert, key } = await authority.issue({ name: 'karmada-webhook', dns: ['localhost'], ips: ['127.0.0.1'] });
  await Promise.all([writeFile(join(folder, 'tls.crt'), cert), writeFile(join(folder, 'tls.key'), key)]);
  const port = await freePort();
  const pid = await start(
    'karmada-webhook',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${folder}`,
  );
  const text = (await karmadaFile('artifacts/deploy/webhook-configuration.yaml'))
    .replaceAll('https://karmada-webhook.karmada-system.svc:443', `https://127.0.0.1:${port}`)
    .replaceAll('{{caBundle}}', Buffer.from(authority.cert).toString('base64'));
  for (const document of parseAllDocuments(text)) {
    const configuration = document.toJS() as { kind: string } | null;
    if (!configuration) continue;
    const path = `/apis/admissionregistration.k8s.io/v1/${configuration.kind.toLowerCase()}s`;
    await create(api, path, configuration);
  }
  const answers = async () => {
    const policy = { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'PropagationPolicy', metadata: { name: 'tried' } };
    const selectors = [{ apiVersion: 'v1', kind: 'ConfigMap' }];
    const body = { ...policy, spec: { resourceSelectors: selectors, placement: {} } };
    const path = '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies?dryRun=All';
    return (await api.ask(path, { method: 'POST', body })).code === 201;
  };
  await until('karmada-webhook answers', answers, { timeout: 180_000, every: 500 });
  return pid;
}

/** By a token that may do everything there, as `karmadactl join` makes it. */
async function register(api: Api, { name, api: member, directServer, ca }: Member): Promise<void> {
  const namespace = 'karmada-cluster';
  const rbac = 'rbac.authorization.k8s.io';
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await create(member, '/api/v1/namespaces', { metadata: { name: namespace } });
  await create(member, accounts, { metadata: { name: 'karmada' } });
  await create(member, `/apis/${rbac}/v1/clusterrolebindings`, {
    metadata: { name: 'karmada' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', namespace, name: 'karmada' }],
  });
  const asked = { spec: { expirationSeconds: 86_400 } };
  const { status } = await create<{ status: { token: string } }>(member, `${accounts}/karmada/token`, asked);
  await create(api, `/api/v1/namespaces/${namespace}/secrets`, {
    metadata: { name },
    stringData: { token: status.token, caBundle: ca },
  });
  const { metadata } = await member.object<{ metadata: { uid: string } }>('/api/v1/namespaces/kube-system');
  const secretRef = { namespace, name };
  await create(api, clusters, {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name },
    spec: {
      id: metadata.uid,
      apiEndpoint: directServer,
      secretRef,
      impersonatorSecretRef: secretRef,
      syncMode: 'Push',
    },
  });
}

interface Cluster {
  status?: { apiEnablements?: unknown[]; conditions?: { type: string; status: string }[] };
}

async function untilReady(api: Api, count: number): Promise<void> {
  const areReady = async () => {
    const { items } = await api.object<{ items: Cluster[] }>(clusters);
    const ready = items.filter(({ status }) => {
      const isReady = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
      return isReady && (status?.apiEnablements?.length ?? 0) > 0;
    });
    return ready.length === count;
  };
  await until('all Clusters of Karmada are Ready', areReady, { timeout: 300_000, every: 500 });
}
