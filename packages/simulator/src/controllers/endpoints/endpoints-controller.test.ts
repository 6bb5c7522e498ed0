import { describe, expect, it } from 'vitest';
import { readyStatus, startTestCluster, type TestCluster } from '../testing/cluster.ts';
import type { Endpoints } from './endpoints-object.ts';
import type { EndpointSlice } from './slices.ts';

const core = '/api/v1/namespaces/default';

const service = (spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default', labels: { team: 'shop' } },
  spec: {
    type: 'ClusterIP',
    clusterIP: '10.96.0.10',
    clusterIPs: ['10.96.0.10'],
    ipFamilies: ['IPv4'],
    selector: { app: 'web' },
    ports: [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }],
    ...spec,
  },
});

const pod = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app: 'web' } },
  spec: {
    nodeName: 'n1',
    containers: [{ name: 'web', image: 'web', ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }] }],
  },
});

async function run(spec: object = {}): Promise<TestCluster & { slices(): Promise<EndpointSlice[]> }> {
  const cluster = await startTestCluster({
    statusOf: ({ metadata }) => readyStatus(`10.0.0.${metadata.name.slice(1)}`),
  });
  const labels = { 'topology.kubernetes.io/zone': 'z1' };
  await cluster.client.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels } });
  await cluster.client.create(`${core}/services`, service(spec));
  return { ...cluster, slices: () => cluster.list<EndpointSlice>('/apis/discovery.k8s.io/v1/endpointslices') };
}

describe('EndpointSlices and Endpoints', () => {
  it('hold the addresses, ports, nodes and zones of ready pods', async () => {
    const cluster = await run();
    await cluster.eventually(async () => {
      const [slice] = await cluster.slices();
      expect([slice?.endpoints ?? [], slice?.ports ?? []]).toEqual([[], []]);
      expect(slice?.addressType).toBe('IPv4');
    });
    for (const name of ['p1', 'p2']) await cluster.client.create(`${core}/pods`, pod(name));
    await cluster.eventually(async () => expect((await cluster.slices())[0]?.endpoints).toHaveLength(2));
    const slices = await cluster.slices();
    expect(slices).toHaveLength(1);
    expect(slices[0]).toMatchObject({
      metadata: {
        generateName: 'web-',
        labels: {
          team: 'shop',
          'kubernetes.io/service-name': 'web',
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        },
        annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': expect.stringMatching(/Z$/) },
        ownerReferences: [{ kind: 'Service', name: 'web', controller: true }],
      },
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    });
    expect(slices[0]!.endpoints!.find(({ targetRef }) => targetRef?.name === 'p1')).toEqual({
      addresses: ['10.0.0.1'],
      conditions: { ready: true, serving: true, terminating: false },
      targetRef: { kind: 'Pod', namespace: 'default', name: 'p1', uid: expect.any(String) },
      nodeName: 'n1',
      zone: 'z1',
    });
    await cluster.eventually(async () => {
      const endpoints = await cluster.client.get<Endpoints>(`${core}/endpoints/web`);
      expect(endpoints.metadata.labels).toEqual({
        team: 'shop',
        'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
      });
      expect(endpoints.subsets).toEqual([
        {
          addresses: ['p1', 'p2'].map((name) => ({
            ip: `10.0.0.${name.slice(1)}`,
            nodeName: 'n1',
            targetRef: { kind: 'Pod', namespace: 'default', name, uid: expect.any(String) },
          })),
          ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
        },
      ]);
    });
    expect(cluster.errors).toEqual([]);
  });

  it('follow readiness and deletion, and are gone with their Service', async () => {
    const cluster = await run();
    await cluster.client.create(`${core}/pods`, pod('p1'));
    await cluster.eventually(async () => expect((await cluster.slices())[0]?.endpoints).toHaveLength(1));
    const conditions = [{ type: 'Ready', status: 'False' }];
    await cluster.client.patch(`${core}/pods/p1/status`, 'merge', { status: { conditions } });
    await cluster.eventually(async () => {
      expect((await cluster.slices())[0]?.endpoints?.[0]?.conditions).toEqual({
        ready: false,
        serving: false,
        terminating: false,
      });
      const { subsets } = await cluster.client.get<Endpoints>(`${core}/endpoints/web`);
      expect(subsets?.[0]?.notReadyAddresses).toHaveLength(1);
    });
    await cluster.client.delete(`${core}/pods/p1`);
    await cluster.eventually(async () => {
      expect((await cluster.slices()).flatMap(({ endpoints }) => endpoints ?? [])).toEqual([]);
      expect(await cluster.client.get<Endpoints>(`${core}/endpoints/web`)).not.toHaveProperty('subsets');
    });
    await cluster.client.delete(`${core}/services/web`);
    await cluster.eventually(async () => {
      expect(await cluster.slices()).toEqual([]);
      expect(await cluster.list(`${core}/endpoints`)).toEqual([]);
    });
  });

  it('of a Service without a selector are left alone', async () => {
    const cluster = await run();
    const own = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'mine', namespace: 'default' } };
    await cluster.client.create(`${core}/endpoints`, own);
    await cluster.eventually(async () => expect(await cluster.slices()).toHaveLength(1));
    expect(await cluster.client.get(`${core}/endpoints/mine`)).toBeDefined();
  });
});
