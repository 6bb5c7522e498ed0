import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../members/cluster.ts';
import type { KubeSphereCluster, KubeSphereSpec } from './kubesphere-cluster.ts';
import { shown, stored } from './translate.ts';

const text = fc.string({ minLength: 1, maxLength: 8 });

const keys = [
  'cluster.kubesphere.io/active',
  'cluster.kubesphere.io/federated',
  'cluster.kubesphere.io/connection-type',
  'cluster.kubesphere.io/kubesphere-api-endpoint',
  'cluster.kubesphere.io/spec',
  'cluster.kubesphere.io/last-applied-configuration',
  'kubectl.kubernetes.io/last-applied-configuration',
  'example.com/other',
];
const values = fc.oneof(
  fc.constantFrom(
    'true',
    'false',
    'proxy',
    'direct',
    '',
    '{"config":"YQ=="}',
    '{"connection":{"kubernetesAPIServerPort":1}}',
  ),
  fc.constantFrom('{"spec":{"connection":{"token":"t"}}}', '{"connection":null}', '[]', 'null'),
  text,
);
const anyMetadata = fc.record(
  {
    name: text,
    uid: text,
    resourceVersion: fc.nat().map(String),
    generation: fc.nat(),
    labels: fc.dictionary(text, text, { minKeys: 1 }),
    annotations: fc.dictionary(fc.constantFrom(...keys), values, { minKeys: 1 }),
    finalizers: fc.array(text),
    managedFields: fc.constant([{ manager: 'm' }]),
  },
  { requiredKeys: ['name'] },
);
const anyCluster = fc.record(
  {
    apiVersion: fc.constant('cluster.karmada.io/v1alpha1'),
    kind: fc.constant('Cluster'),
    metadata: anyMetadata,
    spec: fc.record(
      {
        syncMode: fc.constantFrom('Push', 'Pull'),
        apiEndpoint: fc.oneof(text, fc.constant('')),
        provider: fc.oneof(text, fc.constant('')),
        region: text,
        zones: fc.array(text),
        secretRef: fc.record({ namespace: text, name: text }),
        taints: fc.array(fc.record({ key: text, effect: fc.constant('NoSchedule') })),
        resourceModels: fc.array(fc.record({ grade: fc.nat() })),
      },
      { requiredKeys: ['syncMode'] },
    ),
    status: fc.record({ kubernetesVersion: text, remedyActions: fc.array(text) }),
  },
  { requiredKeys: ['apiVersion', 'kind', 'metadata', 'spec'] },
) as unknown as fc.Arbitrary<Cluster>;
const anySpec = fc.record(
  {
    federated: fc.boolean(),
    active: fc.boolean(),
    provider: text,
    externalKubeAPIEnabled: fc.boolean(),
    config: text,
    connection: fc.record(
      {
        type: fc.constantFrom('direct', 'proxy'),
        kubernetesAPIEndpoint: text,
        kubesphereAPIEndpoint: text,
        externalKubernetesAPIEndpoint: text,
        kubernetesAPIServerPort: fc.integer({ min: 0, max: 65_535 }),
        kubesphereAPIServerPort: fc.integer({ min: 0, max: 65_535 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<KubeSphereSpec>;

const faceOf = (spec: KubeSphereSpec, metadata: object = { name: 'gondor' }) =>
  ({ apiVersion: 'cluster.kubesphere.io/v1alpha1', kind: 'Cluster', metadata, spec }) as KubeSphereCluster;

const completed = ({ federated = false, active = true, connection = {}, ...spec }: KubeSphereSpec): KubeSphereSpec => ({
  ...spec,
  federated,
  joinFederation: federated,
  active,
  enable: active,
  connection: { type: 'direct', ...connection },
});

describe('KS-1: one Cluster, two faces', () => {
  it('what is shown and written back changes nothing of what is stored', () => {
    fc.assert(
      fc.property(anyCluster, (cluster) => {
        expect(stored(shown(cluster), cluster)).toEqual(cluster);
      }),
    );
  });

  it('what is written is shown, over any Cluster and over none', () => {
    fc.assert(
      fc.property(anySpec, fc.option(anyCluster, { nil: undefined }), (spec, old) => {
        expect(shown(stored(faceOf(spec), old)).spec).toEqual(completed(spec));
      }),
    );
  });

  it('what the face cannot show stays as it is stored, whatever is written', () => {
    fc.assert(
      fc.property(anySpec, anyCluster, (spec, old) => {
        const { apiEndpoint: _, provider: __, ...kept } = old.spec;
        const written = stored(faceOf(spec, old.metadata), old);
        expect(written.spec).toMatchObject(kept);
        expect(written.status).toEqual(old.status);
        const own = 'kubectl.kubernetes.io/last-applied-configuration';
        expect(written.metadata.annotations?.[own]).toBe(old.metadata.annotations?.[own]);
      }),
    );
  });

  it('labels and annotations of others are the same on both faces', () => {
    fc.assert(
      fc.property(fc.dictionary(text, text, { minKeys: 1 }), (labels) => {
        const metadata = { name: 'a', labels, annotations: labels };
        expect(shown(stored(faceOf({}, metadata), undefined)).metadata).toEqual(metadata);
      }),
    );
  });

  it('the default of federated is false on this face and true on the other; active is true on both', () => {
    expect(shown(stored(faceOf({}), undefined)).spec).toMatchObject({ federated: false, active: true });
    const karmadas = { metadata: { name: 'a' }, spec: { syncMode: 'Push' } } as Cluster;
    expect(shown(karmadas).spec).toMatchObject({ federated: true, active: true });
  });

  it('of two names of one field the one that was changed counts', () => {
    const old = stored(faceOf({ active: true, federated: true }), undefined);
    const { spec } = shown(old);
    expect(shown(stored(faceOf({ ...spec, enable: false }), old)).spec).toMatchObject({ active: false, enable: false });
    expect(shown(stored(faceOf({ ...spec, active: false }), old)).spec).toMatchObject({ active: false, enable: false });
    expect(shown(stored(faceOf({ ...spec, joinFederation: false }), old)).spec).toMatchObject({ federated: false });
  });

  it('credentials that kubectl noted as applied are not kept', () => {
    const applied = JSON.stringify({
      spec: { provider: 'p', connection: { kubeconfig: 'c2VjcmV0', token: 'secret' } },
    });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': applied };
    const written = stored(faceOf({}, { name: 'a', annotations }), undefined);
    expect(JSON.stringify(written)).not.toMatch(/c2VjcmV0|secret/);
    expect(JSON.stringify(shown(written))).toContain('provider');
  });
});

describe('conditions', () => {
  const cluster = (status: object, annotations = {}): Cluster =>
    ({ metadata: { name: 'a', annotations }, spec: { syncMode: 'Push' }, status }) as Cluster;
  const conditionsOf = (one: Cluster) =>
    shown(one).status!.conditions.map(({ type, status, reason }) => [type, status, reason]);
  const ready = { type: 'Ready', status: 'True', reason: 'ClusterReady', message: '', lastTransitionTime: 't' };

  it('are Initialized, AgentAvailable and Ready, then the others', () => {
    const complete = { ...ready, type: 'CompleteAPIEnablements', reason: 'Complete' };
    expect(conditionsOf(cluster({ conditions: [complete, ready] }))).toEqual([
      ['Initialized', 'True', 'Initialized'],
      ['AgentAvailable', 'True', 'DirectConnection'],
      ['Ready', 'True', 'ClusterReady'],
      ['CompleteAPIEnablements', 'True', 'Complete'],
    ]);
  });

  it('of a cluster in proxy mode show that no agent is there, until one reports', () => {
    const proxy = { 'cluster.kubesphere.io/connection-type': 'proxy' };
    expect(conditionsOf(cluster({}, proxy))).toEqual([
      ['Initialized', 'False', 'NotReachedYet'],
      ['AgentAvailable', 'False', 'AgentNotConnected'],
      ['Ready', 'Unknown', 'ClusterStatusNeverUpdated'],
    ]);
    const agent = { ...ready, type: 'AgentAvailable', reason: 'Connected' };
    expect(conditionsOf(cluster({ conditions: [agent, ready] }, proxy))[1]).toEqual([
      'AgentAvailable',
      'True',
      'Connected',
    ]);
  });
});
