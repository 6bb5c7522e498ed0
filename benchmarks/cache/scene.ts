/** Three real members with pods, the product and karmada-search over the same control plane, and one client for all. */

import { type Member, startMember } from '@fleet/bed/member.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { fillWithPods } from '../pods.ts';
import { type ChildProcess, startChildProcess } from '../scale/child-process.ts';
import type { ClientCommands } from './client.ts';
import { buildKarmadaSearch, type KarmadaSearch, startKarmadaSearch } from './karmada-search.ts';
import { registerKinds } from './register.ts';
import { usersGroup } from './watch-deliveries.ts';

export interface Scene {
  controlPlane: Member;
  members: Member[];
  product: Product;
  /** Undefined where it is left out. */
  karmada: KarmadaSearch | undefined;
  client: ChildProcess<ClientCommands>;
  /** Of all members together. */
  pods: number;
}

export const namespace = 'bench';
const count = Number(process.env['BENCH_PODS'] ?? 10_000);
const hasKarmada = process.env['BENCH_KARMADA'] !== 'no';
const memberNames = ['member1', 'member2', 'member3'];

export const nameOf = (member: string, index: number): string => `${member}-${String(index).padStart(6, '0')}`;

/** About 4.7 KB with the managedFields that kube-apiserver makes of it; names differ from member to member. */
const podOf = (member: string) => (index: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: nameOf(member, index),
    labels: { app: `app-${index % 50}`, 'pod-template-hash': '5d9f7c8b6', tier: 'backend' },
    annotations: { 'example.fleet/checksum': 'f'.repeat(64) },
  },
  spec: {
    schedulerName: 'nobody',
    containers: [
      {
        name: 'main',
        image: 'registry.example/team/main:v1.2.3',
        args: ['--listen=:8080', '--log-level=info', `--shard=${index}`],
        env: Array.from({ length: 17 }, (_, i) => ({ name: `SETTING_${i}`, value: `value-${i}-${index}` })),
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
        readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5 },
      },
    ],
  },
});

const print = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

export async function startScene(stack: AsyncDisposableStack): Promise<Scene> {
  if (hasKarmada) {
    print('building karmada-search, unless it is there');
    await buildKarmadaSearch();
  }
  // Others would watch pods and ConfigMaps, too.
  const controllers = ['serviceaccount-controller'];
  const start = async (name: string) => stack.use(await startMember({ name, nodes: 0, controllers }));
  const controlPlane = await start('control-plane');
  const product = stack.use(await startProduct({ controlPlane }));
  const members: Member[] = [];
  const each = Math.ceil(count / memberNames.length);
  for (const name of memberNames) {
    const member = await start(name);
    print(`${name}: ${each} pods`);
    await fillWithPods(member, namespace, each, podOf(name));
    await product.join(member, name, '--cache-kinds', 'pods,configmaps');
    members.push(member);
  }
  await grantUsers(controlPlane, members);
  await registerKinds(controlPlane.api, [
    { apiVersion: 'v1', kind: 'Pod' },
    { apiVersion: 'v1', kind: 'ConfigMap' },
  ]);
  const pods = each * members.length;
  await until(
    'the cache is filled',
    async () => {
      const { body } = await product.api.ask('/metrics', { timeout: 60_000 });
      const objects = Number(/^fleet_cache_objects(?:\{[^}]*\})? (\S+)/m.exec(body)?.[1] ?? 0);
      return objects >= pods;
    },
    { timeout: 300_000, every: 500 },
  );
  print('the product is filled');
  const karmada = hasKarmada ? stack.use(await startKarmadaSearch(controlPlane)) : undefined;
  await karmada?.filled(pods);
  if (karmada) print('karmada-search is filled');
  const client = stack.use(startChildProcess<ClientCommands>(new URL('./client.ts', import.meta.url).pathname));
  const known = (name: string, url: string, { ca, admin }: Pick<Member, 'ca' | 'admin'>) => ({
    name,
    url,
    ca,
    ...admin,
  });
  await client.call('know', [
    known('product', product.server, product),
    ...(karmada ? [known('karmada-search', karmada.url, controlPlane)] : []),
    ...members.map((member) => known(member.name, member.directServer, member)),
  ]);
  return { controlPlane, members, product, karmada, client, pods };
}

const rbac = 'rbac.authorization.k8s.io';

/** Members let the group watch ConfigMaps, the control plane lets it reach them. */
async function grantUsers(controlPlane: Member, members: readonly Member[]): Promise<void> {
  const grant = async ({ api }: Member, rule: object) => {
    const create = (path: string, body: object) => api.object(`/apis/${rbac}/v1/${path}`, { method: 'POST', body });
    const metadata = { name: usersGroup };
    await create('clusterroles', { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata, rules: [rule] });
    await create('clusterrolebindings', {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: usersGroup },
      subjects: [{ apiGroup: rbac, kind: 'Group', name: usersGroup }],
    });
  };
  const verbs = ['get', 'list', 'watch'];
  await grant(controlPlane, { apiGroups: ['cluster.karmada.io'], resources: ['clusterspaces'], verbs });
  for (const member of members) await grant(member, { apiGroups: [''], resources: ['configmaps'], verbs });
}
