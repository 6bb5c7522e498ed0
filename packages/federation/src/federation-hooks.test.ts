/** The two stories of the design of exploring webhooks, with the example webhook, in both of its languages (EXP-8). */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { jsonOfYaml } from '@fleet/kube/yaml-json.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWebhook } from '../../../examples/exploring-webhook/server.ts';
import type { AnyObject } from './api/objects.ts';
import { clustersPath, inNamespace, propagationPoliciesPath, resourceBindingsPath } from './api/paths.ts';
import { type ServerCertificate, selfSigned } from './explore/hooks/testing/certificates.ts';
import { startFederation } from './federation.ts';
import type { Resource } from './kinds/kinds.ts';
import { type FakeControlPlane, fakeControlPlane } from './testing/fake-control-plane.ts';
import { servedKinds } from './testing/fake-pipeline.ts';

const settled = { timeout: 15_000, interval: 25 };
const config = '/apis/config.karmada.io/v1alpha1';
const workloads = '/apis/workload.example.io/v1alpha1/namespaces/shop/workloads';
const folder = join(import.meta.dirname, '../../../examples/exploring-webhook');
const objectOf = (text: string): AnyObject => JSON.parse(String(jsonOfYaml(text)));

const kind: Resource = {
  ...servedKinds.find((one) => one.kind === 'Deployment')!,
  apiVersion: 'workload.example.io/v1alpha1',
  group: 'workload.example.io',
  version: 'v1alpha1',
  kind: 'Workload',
  plural: 'workloads',
};

let tls: ServerCertificate;
let server: Server;
let controlPlane: FakeControlPlane;
let members: Map<string, FakeControlPlane>;
let running: AsyncDisposable;
/** Reported for metrics. */
let calls: Set<string>;

beforeEach(async () => {
  tls = selfSigned(['localhost']);
  server = createWebhook(tls).listen(0, '127.0.0.1');
  await once(server, 'listening');
  controlPlane = fakeControlPlane();
  calls = new Set();
  members = new Map(['m1', 'm2'].map((name) => [name, fakeControlPlane()]));
  const current = () => [...servedKinds, kind];
  running = await startFederation(
    {
      controlPlane: controlPlane.client,
      connections: { client: (cluster) => members.get(cluster)?.client },
      served: { current, onChange: () => ({ [Symbol.dispose]() {} }) },
      scheduling: { isFederated: () => true, isActive: () => true },
      hooks: { resolveService: () => undefined },
      onHookCall({ name }, operation, _seconds, outcome) {
        calls.add(`${name} ${operation} ${outcome}`);
      },
      log: { info() {}, warn() {} },
    },
    new AbortController().signal,
  );
  for (const name of members.keys()) {
    const metadata = { name };
    await controlPlane.client.create(clustersPath, {
      kind: 'Cluster',
      apiVersion: 'cluster.karmada.io/v1alpha1',
      metadata,
      spec: {},
    });
    const apiEnablements = [{ groupVersion: kind.apiVersion, resources: [{ kind: 'Workload' }] }];
    const status = { apiEnablements, conditions: [{ type: 'Ready', status: 'True' }] };
    await controlPlane.client.patch(`${clustersPath}/${name}/status`, 'merge', { status });
  }
  await controlPlane.client.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop' },
  });
});
afterEach(async () => {
  await running[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

/** As the example's README describes, with the port of this test. */
async function configure(file: string, plural: string): Promise<void> {
  const port = String((server.address() as AddressInfo).port);
  const caBundle = Buffer.from(tls.cert).toString('base64');
  const text = readFileSync(join(folder, file), 'utf8')
    .replace('$' + '{CA_BUNDLE}', caBundle)
    .replace('8443', port);
  await controlPlane.client.create(`${config}/${plural}`, objectOf(text));
}

const policy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'p' },
  spec: {
    resourceSelectors: [{ apiVersion: kind.apiVersion, kind: 'Workload', name: 'web' }],
    placement: {
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: {
          staticWeightList: [
            { targetCluster: { clusterNames: ['m1'] }, weight: 2 },
            { targetCluster: { clusterNames: ['m2'] }, weight: 1 },
          ],
        },
      },
    },
  },
};
const template = {
  apiVersion: kind.apiVersion,
  kind: 'Workload',
  metadata: { name: 'web' },
  spec: { replicas: 6, template: { spec: { containers: [{ name: 'c', image: 'i' }] } } },
};

interface Workload extends AnyObject {
  spec: { replicas: number; paused?: boolean };
  status?: { readyReplicas?: number };
}

const inMember = (cluster: string) =>
  members
    .get(cluster)!
    .client.get<Workload>(`${workloads}/web`)
    .catch(() => undefined);
const replicas = async () => [(await inMember('m1'))?.spec.replicas, (await inMember('m2'))?.spec.replicas];

describe.each([
  ['exploring-configuration.yaml', 'resourceexploringwebhookconfigurations'],
  ['interpreter-configuration.yaml', 'resourceinterpreterwebhookconfigurations'],
])('EXP-8: with %s', (file, plural) => {
  it('replicas of a custom workload are divided by weight, and its status is aggregated', async () => {
    await configure(file, plural);
    await controlPlane.client.create(workloads, template);
    await controlPlane.client.create(inNamespace(propagationPoliciesPath, 'shop'), policy);
    await vi.waitFor(async () => expect(await replicas()).toEqual([4, 2]), settled);
    for (const [cluster, readyReplicas] of [
      ['m1', 4],
      ['m2', 2],
    ] as const) {
      await members.get(cluster)!.client.patch(`${workloads}/web/status`, 'merge', { status: { readyReplicas } });
    }
    await vi.waitFor(async () => {
      const { status } = await controlPlane.client.get<Workload>(`${workloads}/web`);
      expect(status).toEqual({ readyReplicas: 6 });
    }, settled);
  });

  it('what a controller of the member has changed is retained, and everything else is put back', async () => {
    await configure(file, plural);
    await controlPlane.client.create(workloads, template);
    await controlPlane.client.create(inNamespace(propagationPoliciesPath, 'shop'), policy);
    await vi.waitFor(async () => expect(await replicas()).toEqual([4, 2]), settled);
    const member = members.get('m1')!.client;
    await member.patch(`${workloads}/web`, 'merge', { spec: { paused: true, replicas: 1 } });
    await vi.waitFor(
      async () => expect((await inMember('m1'))?.spec).toMatchObject({ paused: true, replicas: 4 }),
      settled,
    );
    await controlPlane.client.patch(`${workloads}/web`, 'merge', { spec: { replicas: 9 } });
    await vi.waitFor(async () => expect(await replicas()).toEqual([6, 3]), settled);
    expect((await inMember('m1'))?.spec.paused).toBe(true);
    expect((await inMember('m2'))?.spec.paused).toBeUndefined();
  });

  it('EXP-7: a template without replicas is divided once a webhook returns its replicas', async () => {
    await controlPlane.client.create(workloads, template);
    await controlPlane.client.create(inNamespace(propagationPoliciesPath, 'shop'), policy);
    await vi.waitFor(async () => expect(await replicas()).toEqual([6, 6]), settled);
    await configure(file, plural);
    await vi.waitFor(async () => expect(await replicas()).toEqual([4, 2]), settled);
    const binding = `${inNamespace(resourceBindingsPath, 'shop')}/web-workload`;
    expect(await controlPlane.client.get<AnyObject>(binding)).toMatchObject({ spec: { replicas: 6 } });
  });
});

it('EXP-5: an unreachable hook keeps the object as it is; an event names it, and its calls are reported', async () => {
  await configure('exploring-configuration.yaml', 'resourceexploringwebhookconfigurations');
  await controlPlane.client.create(workloads, template);
  await controlPlane.client.create(inNamespace(propagationPoliciesPath, 'shop'), policy);
  await vi.waitFor(async () => expect(await replicas()).toEqual([4, 2]), settled);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await controlPlane.client.patch(`${workloads}/web`, 'merge', { spec: { replicas: 9 } });
  await vi.waitFor(async () => {
    const { items } = await controlPlane.client.list<AnyObject>('/api/v1/namespaces/shop/events');
    const messages = items.filter(({ reason }) => reason === 'GetReplicasFailed').map(({ message }) => message);
    expect(messages.join()).toContain('webhook "workloads.example.com"');
  }, settled);
  expect(await replicas()).toEqual([4, 2]);
  expect([...calls]).toEqual(
    expect.arrayContaining(['workloads.example.com replica success', 'workloads.example.com replica unreachable']),
  );
});
