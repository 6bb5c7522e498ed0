/** Both user stories of the webhook proposal and its eight operations, on real clusters with the example webhook, in both of its languages. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import { createAuthority } from '@fleet/bed/pki.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWebhook } from '../../examples/exploring-webhook/server.ts';
import { type MemberController, startController, type Workload } from './federation-stories/member-controller.ts';

const folder = join(import.meta.dirname, '../../examples/exploring-webhook');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const patience = { timeout: 60_000, every: 100 };

/** As `workload.yaml` has it. */
const workload = '/apis/workload.example.io/v1alpha1/namespaces/default/workloads/nginx';
const dependencies = [
  '/api/v1/namespaces/default/configmaps/nginx',
  '/api/v1/namespaces/default/secrets/nginx-password',
];
const names = ['member1', 'member2'] as const;
type Name = (typeof names)[number];

const policy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'nginx', namespace: 'default' },
  spec: {
    propagateDeps: true,
    resourceSelectors: [{ apiVersion: 'workload.example.io/v1alpha1', kind: 'Workload', name: 'nginx' }],
    placement: {
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: {
          staticWeightList: [
            { targetCluster: { clusterNames: ['member1'] }, weight: 2 },
            { targetCluster: { clusterNames: ['member2'] }, weight: 1 },
          ],
        },
      },
    },
  },
};

interface Binding {
  spec: { replicas?: number; replicaRequirements?: { resourceRequest?: Record<string, string> } };
  status?: { aggregatedStatus?: { clusterName: string; health?: string; status?: object }[] };
}

const started = new AsyncDisposableStack();
let product: Product;
let members: Record<Name, Member>;
let server: Server;
let configurationOf: (file: string) => string;
/** Of the members, while a test has them. */
let controllers: Record<Name, MemberController>;

beforeAll(async () => {
  const authority = await createAuthority('webhook-ca');
  server = createWebhook(await authority.issue({ name: 'webhook', dns: ['localhost'] })).listen(0, 'localhost');
  await once(server, 'listening');
  const caBundle = Buffer.from(authority.cert).toString('base64');
  const port = String((server.address() as AddressInfo).port);
  configurationOf = (file) =>
    read(file)
      .replace('$' + '{CA_BUNDLE}', caBundle)
      .replace('8443', port);
  // What a member serves when it joins is looked up, and then once a minute: it has the kind before.
  const start = async (name: Name): Promise<Member> => {
    const member = started.use(await startMember({ name, nodes: 0 }));
    const { code, stderr } = await member.kubectl({ stdin: read('crd.yaml') }, 'apply', '-f', '-');
    expect(code, stderr).toBe(0);
    const isServed = async () => (await member.api.ask('/apis')).body.includes('workload.example.io');
    await until(`${name} serves the kind`, isServed, patience);
    return member;
  };
  const [controlPlane, member1, member2] = await Promise.all([startControlPlane(), start('member1'), start('member2')]);
  started.use(controlPlane);
  members = { member1, member2 };
  product = started.use(await startProduct({ controlPlane, flags: ['--federation'] }));
  const kinds = ['--federation-kinds', 'workloads.workload.example.io,configmaps,secrets'];
  for (const name of names) await product.join(members[name], name, ...kinds);
  await apply(read('crd.yaml'));
  await kubectl('', 'wait', '--for=condition=Established', 'crd/workloads.workload.example.io', '--timeout=60s');
});

afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await started.disposeAsync();
});

/** Of the control plane. */
async function kubectl(stdin: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await product.kubectl({ stdin, at: '/clusterspaces/karmada' }, ...args);
  expect(code, stderr).toBe(0);
  return stdout;
}

const apply = (text: string): Promise<string> => kubectl(text, 'apply', '-f', '-');
const scale = (replicas: number): Promise<string> =>
  kubectl('', 'patch', 'workload', 'nginx', '--type=merge', '-p', JSON.stringify({ spec: { replicas } }));
const parsed = async <T>(...args: string[]): Promise<T> => JSON.parse(await kubectl('', ...args, '-o', 'json')) as T;
const binding = (): Promise<Binding> => parsed<Binding>('get', 'resourcebinding', 'nginx-workload');
const template = (): Promise<Workload> => parsed<Workload>('get', 'workload', 'nginx');

/** Undefined where there is none. */
async function inMember(name: Name, path = workload): Promise<Workload | undefined> {
  const { code, body } = await members[name].api.ask(path);
  return code === 200 ? (JSON.parse(body) as Workload) : undefined;
}

async function areDivided(...expected: (number | undefined)[]): Promise<void> {
  const are = async () => {
    const found = await Promise.all(names.map(async (name) => (await inMember(name))?.spec.replicas));
    return found.join() === expected.join();
  };
  await until(`replicas in members are ${expected.join()}`, are, patience);
}

async function isReported(health: string, ...ready: number[]): Promise<void> {
  const expected = names.map((clusterName, index) => ({ clusterName, health, readyReplicas: ready[index] }));
  const is = async () => {
    const { status } = await binding();
    const found = status?.aggregatedStatus?.map((item) => ({
      clusterName: item.clusterName,
      health: item.health,
      ...item.status,
    }));
    return JSON.stringify(found) === JSON.stringify(expected);
  };
  await until(`${health} is reported, with ${ready.join()} ready`, is, patience);
}

describe.each([
  ['exploring-configuration.yaml', 'resourceexploringwebhookconfiguration'],
  ['interpreter-configuration.yaml', 'resourceinterpreterwebhookconfiguration'],
] as const)('EXP-8: with %s', (file, kind) => {
  const packs = file === 'exploring-configuration.yaml';

  beforeAll(() => apply(configurationOf(file)));
  afterAll(async () => {
    for (const controller of Object.values(controllers ?? {})) await controller[Symbol.asyncDispose]();
    await kubectl('', 'delete', kind, 'workloads');
  });

  test('EXP-3: replicas of a custom workload are divided by weight, and its dependencies go along', async () => {
    await kubectl('', 'create', 'configmap', 'nginx');
    await kubectl('', 'create', 'secret', 'generic', 'nginx-password');
    await apply(JSON.stringify(policy));
    await apply(read('workload.yaml'));
    await areDivided(8, 4);
    expect((await binding()).spec).toMatchObject({
      replicas: 12,
      replicaRequirements: { resourceRequest: { cpu: '250m' } },
    });
    for (const name of names) {
      for (const path of dependencies) {
        const isThere = async () => (await inMember(name, path)) !== undefined;
        await until(`${path} is in ${name}`, isThere, patience);
      }
      // Karmada has no packing by webhooks.
      expect((await inMember(name))?.spec.paused).toBe(packs ? undefined : false);
    }
    await scale(9);
    await areDivided(6, 3);
  });

  test('EXP-3: what its members report is its status and its health', async () => {
    // Without the webhook there would be no status, and it would be healthy.
    await isReported('Unhealthy', 0, 0);
    const { member1, member2 } = members;
    controllers = {
      member1: startController(member1, workload, true),
      member2: startController(member2, workload, undefined),
    };
    await isReported('Healthy', 6, 3);
    const isAdded = async () => (await template()).status?.readyReplicas === 9;
    await until('the status of the template is the sum', isAdded, patience);
  });

  test('EXP-3: what a member controller has changed is retained, and everything else is put back', async () => {
    const isPaused = async () => (await inMember('member1'))?.spec.paused === true;
    await until('the controller of member1 has paused it', isPaused, patience);
    await scale(12);
    await areDivided(8, 4);
    await isReported('Healthy', 8, 4);
    const { api } = members.member1;
    const before = (await inMember('member1'))!.metadata.generation;
    const contentType = 'application/merge-patch+json';
    await api.object(workload, { method: 'PATCH', contentType, body: { spec: { replicas: 1 } } });
    await areDivided(8, 4);
    const { metadata, spec } = (await inMember('member1'))!;
    expect(spec.paused).toBe(true);
    // One change of ours and one that puts it back: nobody else has written, nor has the controller paused it again.
    expect(metadata.generation).toBe(before + 2);
    expect(controllers.member1.pauses).toBe(1);
    expect((await inMember('member2'))?.spec.paused).toBe(packs ? undefined : false);
    expect((await template()) satisfies Workload).toMatchObject({ spec: { replicas: 12, paused: false } });
  });

  test('FED-9: nothing of it is left in members when the template is deleted', async () => {
    await kubectl('', 'delete', 'workload/nginx', 'configmap/nginx', 'secret/nginx-password');
    await kubectl('', 'delete', 'propagationpolicy', 'nginx', '--timeout=60s');
    await areDivided(undefined, undefined);
    for (const name of names) {
      for (const path of dependencies) {
        const isGone = async () => (await inMember(name, path)) === undefined;
        await until(`${path} is gone from ${name}`, isGone, patience);
      }
    }
  });
});
