/** One member as four Clusters of one product: dialled directly, through the product's agent, through konnectivity and through chisel. */

import { join } from 'node:path';
import { until } from '@fleet/bed/until.ts';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { joinByAgent, startAgentProcess } from '../../test/simulated/src/agent-process.ts';
import { command, run } from '../../test/simulated/src/product.ts';
import { fleetServe } from '../embedded/fleet-serve.ts';
import type { Side } from '../embedded/side.ts';
import { startChildProcess } from '../scale/child-process.ts';
import { startChisel } from './chisel.ts';
import { type OtherTunnel, startKonnectivity } from './konnectivity.ts';
import type { MemberCommands } from './member.ts';

export interface Transports extends AsyncDisposable {
  product: Side;
  /** Names of the Clusters; `direct` and `agent` are always among them. */
  names: string[];
  /** Of the process beside the member. */
  agents: Record<string, number>;
}

const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';
const secrets = '/api/v1/namespaces/karmada-cluster/secrets';
const own = 'agent';

interface Secret {
  data: Record<string, string>;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The credentials are those that the agent has handed over, the same for all. Without an id: it is one member under four names. */
async function register(controlPlane: KubeClient, name: string, { ca, ...spec }: Partial<OtherTunnel>): Promise<void> {
  const annotations = { 'fleet.karmada.io/cluster': name };
  for (const ending of ['', '-impersonator']) {
    const { data } = await controlPlane.get<Secret>(`${secrets}/${own}${ending}`);
    const bundle = Buffer.from(data['caBundle']!, 'base64').toString();
    const caBundle = base64(ca === undefined ? bundle : `${bundle}\n${ca}`);
    await controlPlane.create(secrets, {
      metadata: { name: `${name}${ending}`, annotations },
      data: { ...data, caBundle },
    });
  }
  const ref = (ending = '') => ({ namespace: 'karmada-cluster', name: `${name}${ending}` });
  await controlPlane.create(clusters, {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name },
    spec: { syncMode: 'Push', ...spec, secretRef: ref(), impersonatorSecretRef: ref('-impersonator') },
  });
}

interface Cluster {
  status?: { conditions?: { type: string; status: string; message: string }[] };
}

const untilReady = (controlPlane: KubeClient, name: string) =>
  until(`${name} is Ready`, async () => {
    const { status } = await controlPlane.get<Cluster>(`${clusters}/${name}`);
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status !== 'True') throw new Error(ready?.message);
    return true;
  });

/** `others`: konnectivity and chisel, of which some may be left out. */
export async function startTransports(
  others: readonly string[],
  filled: { objects: number; size: number },
): Promise<Transports> {
  await using stack = new AsyncDisposableStack();
  const member = stack.use(startChildProcess<MemberCommands>(new URL('./member.ts', import.meta.url).pathname));
  const { kubeconfig, port } = await member.call('start', filled);
  const product = stack.use(await fleetServe());
  await product.start();
  const { folder, origin, base } = product.spec;
  const adminKubeconfig = join(folder, 'data/admin.kubeconfig');
  const endpoint = await loadEndpoint(adminKubeconfig);
  const upstream = stack.use(new HttpsUpstream({ ...endpoint, url: `${origin}${base}` }));
  const controlPlane = new KubeClient(upstream, 'bench');
  const fleet = (...args: string[]) => run(process.execPath, [command, ...args], { FLEET_KUBECONFIG: adminKubeconfig });
  const tokenFile = await joinByAgent({ product: { fleet }, folder }, own);
  const agent = stack.use(await startAgentProcess({ tokenFile, kubeconfig, server: origin }));
  await untilReady(controlPlane, own);
  const agents: Record<string, number> = { [own]: agent.pid };
  const apiEndpoint = `https://127.0.0.1:${port}`;
  await register(controlPlane, 'direct', { apiEndpoint });
  if (others.includes('konnectivity')) {
    const { pid, proxyURL = '', ca = '' } = stack.use(await startKonnectivity());
    await register(controlPlane, 'konnectivity', { apiEndpoint, proxyURL, ca });
    agents['konnectivity'] = pid;
  }
  if (others.includes('chisel')) {
    const tunnel = stack.use(await startChisel(port));
    await register(controlPlane, 'chisel', { apiEndpoint: tunnel.apiEndpoint! });
    agents['chisel'] = tunnel.pid;
  }
  const names = ['direct', ...Object.keys(agents)];
  for (const name of names) await untilReady(controlPlane, name);
  const running = stack.move();
  return { product, names, agents, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
