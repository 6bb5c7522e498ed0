/** KubeSphere's Clusters on simulated members: both faces of one object, permissions, credentials. */

import { formatToken, hashSecret, makeToken } from '@fleet/tunnel/token.ts';
import type { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fingerprintsOf, startAgent } from './src/agent-member.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { grant } from './src/granting.ts';
import { face, facing, karmada, named, secrets, settled } from './src/kubesphere.ts';
import { watching } from './src/registering.ts';
import { requestAs } from './src/request.ts';

let fleet: SimulatedFleet;
let admin: KubeConfig;
let on: ReturnType<typeof facing>;

beforeAll(async () => {
  fleet = await startFleet({ members: ['gondor', 'rohan'] });
  admin = await fleet.config();
  on = facing(admin);
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

describe('KS-1: the face', () => {
  it('shows the clusters that were joined', async () => {
    await vi.waitFor(async () => {
      expect(await on.conditions('gondor')).toEqual(
        expect.arrayContaining([
          ['Initialized', 'True', 'Initialized'],
          ['AgentAvailable', 'True', 'DirectConnection'],
          ['Ready', 'True', 'ClusterReady'],
        ]),
      );
    }, settled);
    const { kind, items } = await on.json(face);
    expect(kind).toBe('ClusterList');
    expect(
      items.map(({ kind, metadata, spec }) => [kind, metadata['name'], spec['federated'], spec['active']]),
    ).toEqual([
      ['Cluster', 'gondor', true, true],
      ['Cluster', 'rohan', true, true],
    ]);
    const [shown, stored] = [await on.json(`${face}/gondor`), await on.json(`${karmada}/gondor`)];
    expect(shown.metadata).toMatchObject({ uid: stored.metadata['uid'] });
    expect(shown.metadata).not.toHaveProperty('managedFields');
    expect(shown.spec.connection).toEqual({ type: 'direct', kubernetesAPIEndpoint: stored.spec.apiEndpoint });
  });

  it.each([
    '/apis/cluster.kubesphere.io/clusters/gondor',
    '/clusterspaces/karmada/apis/cluster.kubesphere.io/clusters/gondor',
    `/clusterspaces/karmada${face}/gondor`,
    `/clusters/host${face}/gondor`,
    '/apis/clusters/host/cluster.kubesphere.io/clusters/gondor',
    `${face}/gondor?clusterspace=karmada`,
  ])('is served at %s', async (path) => {
    expect(await on.json(path)).toMatchObject({
      kind: 'Cluster',
      metadata: { name: 'gondor' },
      spec: { active: true },
    });
  });

  it('is in discovery, in all its forms, and in OpenAPI', async () => {
    for (const root of ['', '/clusterspaces/karmada']) {
      const { body: legacy } = await on.get(`${root}/apis/cluster.kubesphere.io/v1alpha1`);
      expect(legacy).toMatchObject({
        resources: expect.arrayContaining([
          expect.objectContaining({ name: 'clusters', kind: 'Cluster', namespaced: false }),
          expect.objectContaining({ name: 'agents' }),
        ]),
      });
      const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
      const { body: aggregated } = await on.get(`${root}/apis`, { accept });
      expect(JSON.stringify(aggregated)).toContain(
        '"group":"cluster.kubesphere.io","version":"v1alpha1","kind":"Cluster"',
      );
      const { body: index } = await on.get(`${root}/openapi/v3`);
      const { serverRelativeURL } = (index as { paths: Record<string, { serverRelativeURL: string }> }).paths[
        'apis/cluster.kubesphere.io/v1alpha1'
      ]!;
      const { status, body: document } = await on.get(`${root}${serverRelativeURL}`);
      expect([status, JSON.stringify(document)]).toEqual([200, expect.stringContaining('joinFederation')]);
      expect(JSON.stringify((await on.get(`${root}/openapi/v2`)).body)).toContain('kubesphereAPIEndpoint');
    }
  });

  it('has Tables, selectors, pages and metadata alone', async () => {
    await on.patch(`${face}/gondor`, { metadata: { labels: { realm: 'men' } } });
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { body: table } = await on.get(`${face}?labelSelector=realm%3Dmen`, { accept });
    expect(table).toMatchObject({
      kind: 'Table',
      rows: [
        { cells: ['gondor', true, null, true, 'v1.36.3', 'True', 'direct', expect.anything(), expect.anything()] },
      ],
    });
    const byField = await on.json(`${face}?fieldSelector=metadata.name%3Drohan`);
    expect(byField.items.map(({ metadata }) => metadata['name'])).toEqual(['rohan']);
    const first = await on.json(`${face}?limit=1`);
    const next = await on.json(`${face}?limit=1&continue=${first.metadata['continue']}`);
    expect([...first.items, ...next.items].map(({ metadata }) => metadata['name'])).toEqual(['gondor', 'rohan']);
    const partial = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    expect((await on.get(`${face}/gondor`, { accept: partial })).body).toMatchObject({ kind: 'PartialObjectMetadata' });
    expect(await on.get(`${face}?fieldSelector=spec.provider%3Dx`)).toMatchObject({ status: 400 });
  });

  it('creates what the other face shows; the default of federated is false', async () => {
    const made = await on.create(named('arnor', { provider: 'elves', connection: { type: 'proxy' } }));
    expect(made).toMatchObject({
      status: 201,
      body: { spec: { federated: false, joinFederation: false, active: true } },
    });
    expect(await on.json(`${karmada}/arnor`)).toMatchObject({
      metadata: { annotations: { 'cluster.kubesphere.io/federated': 'false' } },
      spec: { syncMode: 'Push', provider: 'elves' },
    });
    await on.patch(`${karmada}/arnor`, { spec: { provider: 'men' } });
    expect((await on.json(`${face}/arnor`)).spec).toMatchObject({ provider: 'men', federated: false });
    expect(await on.create(named('arnor'))).toMatchObject({
      status: 409,
      body: { message: 'clusters.cluster.kubesphere.io "arnor" already exists' },
    });
  });

  it('updates, patches, and deletes; versions are the Cluster’s', async () => {
    const shown = await on.json(`${face}/arnor`);
    expect(shown.metadata['resourceVersion']).toBe((await on.json(`${karmada}/arnor`)).metadata['resourceVersion']);
    expect(await on.put('arnor', { ...shown, spec: { ...shown.spec, joinFederation: true } })).toMatchObject({
      status: 200,
      body: { spec: { federated: true, joinFederation: true } },
    });
    expect(await on.put('arnor', shown)).toMatchObject({
      status: 409,
      body: { details: { group: 'cluster.kubesphere.io' } },
    });
    const operations = [{ op: 'replace', path: '/spec/provider', value: 'dwarves' }];
    expect(await on.patch(`${face}/arnor`, operations, 'json-patch+json')).toMatchObject({ status: 200 });
    expect(await on.json(`${karmada}/arnor`)).toMatchObject({ spec: { provider: 'dwarves', syncMode: 'Push' } });
    expect(await on.patch(`${face}/arnor`, {}, 'apply-patch+yaml?')).toMatchObject({ status: 415 });
    expect(await on.patch(`${face}/arnor?fieldManager=a`, named('arnor'), 'apply-patch+yaml')).toMatchObject({
      status: 415,
      body: { message: expect.stringContaining('clusters.cluster.karmada.io') },
    });
    expect(await on.remove(`${face}/arnor`)).toMatchObject({ status: 200 });
    await vi.waitFor(async () => {
      expect(await on.get(`${face}/arnor`)).toMatchObject({
        status: 404,
        body: { message: 'clusters.cluster.kubesphere.io "arnor" not found' },
      });
    }, settled);
  });

  it('a dry run changes nothing; unknown fields, wrong types and wrong names are reported', async () => {
    expect(await on.create(named('mordor'), '?dryRun=All')).toMatchObject({ status: 201 });
    expect(await on.get(`${face}/mordor`)).toMatchObject({ status: 404 });
    const strict = await on.create(named('mordor', { ring: 1 }), '?fieldValidation=Strict');
    expect(strict).toMatchObject({ status: 400, body: { message: expect.stringContaining('spec.ring') } });
    const warned = await on.create(named('mordor', { ring: 1 }), '?dryRun=All');
    expect(warned).toMatchObject({ status: 201, headers: { warning: expect.stringContaining('spec.ring') } });
    const wrong = (object: object) => on.create(object, '?dryRun=All');
    expect(await wrong(named('mordor', { active: 'yes' }))).toMatchObject({ status: 422 });
    expect(await wrong(named('mordor', { active: true, enable: false }))).toMatchObject({ status: 422 });
    expect(await wrong(named('karmada'))).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('Cluster.cluster.kubesphere.io "karmada" is invalid') },
    });
    const annotations = { 'cluster.kubesphere.io/active': 'false' };
    expect(await wrong(named('mordor', {}, { annotations }))).toMatchObject({ status: 422 });
  });

  it('KS-3: /kapis of no cluster is 404 where no host is configured', async () => {
    expect(await on.get('/kapis/servicemesh.kubesphere.io/v1alpha1/x')).toMatchObject({ status: 404 });
  });

  it('permissions are those on clusters.cluster.kubesphere.io alone', async () => {
    const frodo = await fleet.config({ name: 'frodo' });
    expect(await requestAs(frodo, `${face}/gondor`)).toMatchObject({
      status: 403,
      body: {
        message:
          'clusters.cluster.kubesphere.io "gondor" is forbidden: User "frodo" cannot get resource "clusters" in API group "cluster.kubesphere.io" at the cluster scope',
      },
    });
    const rule = { apiGroups: ['cluster.kubesphere.io'], resources: ['clusters'], verbs: ['list', 'create', 'delete'] };
    await grant(fleet.controlPlane, 'sam', 'sam', [rule]);
    const sam = await fleet.config({ name: 'sam' });
    expect(await on.create(named('shire'), '', sam)).toMatchObject({ status: 201 });
    expect(await requestAs(sam, face)).toMatchObject({ status: 200 });
    expect(await requestAs(sam, `${face}/shire`)).toMatchObject({ status: 403 });
    expect(await requestAs(sam, karmada)).toMatchObject({ status: 403 });
    const merge = { 'content-type': 'application/merge-patch+json' };
    expect(await requestAs(sam, `${face}/shire`, merge, false, {}, 'PATCH')).toMatchObject({ status: 403 });
    // What is granted is what is asked for, however the path is written.
    for (const path of [`/clusters/host/${face}/gondor`, `/clusters/host${face}/x%2Fgondor`])
      expect((await requestAs(sam, path)).status).toBeGreaterThanOrEqual(403);
    expect(await requestAs(sam, `${face}/shire`, {}, false, undefined, 'DELETE')).toMatchObject({ status: 200 });
  });

  it('a watch follows writes of both faces', async () => {
    await using watch = await watching(admin, face, { allowWatchBookmarks: 'true' });
    await vi.waitUntil(() => watch.seen.length >= 2, settled);
    await on.create(named('isengard', { connection: { type: 'proxy' } }));
    await on.patch(`${karmada}/isengard`, { spec: { region: 'west' } });
    await vi.waitFor(() => expect(watch.events().join(' ')).toMatch(/ADDED isengard .*MODIFIED isengard/), settled);
    await on.remove(`${karmada}/isengard`);
    await vi.waitFor(() => expect(watch.events().join(' ')).toContain('DELETED isengard'), settled);
  });
});

describe('KS-1: credentials', () => {
  it('a kubeconfig joins a cluster: kept as a Secret, never shown', async () => {
    const { kubeconfig } = fleet.members.get('gondor')!;
    await on.remove(`${face}/gondor`);
    await vi.waitFor(async () => expect((await on.get(`${face}/gondor`)).status).toBe(404), settled);
    const encoded = Buffer.from(kubeconfig).toString('base64');
    const connection = { type: 'direct', kubeconfig: encoded, token: 'a-token-of-an-agent-0123456789-ab' };
    const made = await on.create(named('gondor', { joinFederation: true, enable: true, connection }));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(JSON.stringify(made.body)).not.toMatch(/kubeconfig|a-token-of/);
    await vi.waitFor(async () => {
      expect(await on.conditions('gondor')).toContainEqual(['Ready', 'True', 'ClusterReady']);
    }, settled);
    expect((await on.json(`${face}/gondor`)).spec.connection['kubernetesAPIEndpoint']).toMatch(/^https:/);
    expect(await on.json(`${secrets}/gondor`)).toMatchObject({ data: { caBundle: expect.anything() } });
    expect(await on.get('/clusters/gondor/api/v1/namespaces/default')).toMatchObject({ status: 200 });
  });

  it('AGENT-3: a token is what the agent logs in with; its hash alone is stored', async () => {
    const token = makeToken('lorien', await fingerprintsOf(fleet));
    const connection = { type: 'proxy', token: formatToken(token) };
    const made = await on.create(named('lorien', { connection }));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const stored = (await on.json(`${secrets}/lorien-agent-token`)) as unknown as { data: Record<string, string> };
    const texts = Object.values(stored.data).map((value) => Buffer.from(value, 'base64').toString());
    expect(texts).toEqual([hashSecret(token.secret)]);
    await using agent = startAgent(fleet.product, token, fleet.members.get('rohan')!);
    await vi.waitUntil(() => agent.log.filter((line) => line.endsWith('is established')).length === 2, settled);
    const other = 'another-secret-of-32-characters-or-more';
    await on.patch(`${face}/lorien`, { spec: { connection: { token: other } } });
    await vi.waitUntil(() => agent.log.length > 2, settled);
    await using second = startAgent(fleet.product, { ...token, secret: other }, fleet.members.get('rohan')!);
    await vi.waitUntil(() => second.log.filter((line) => line.endsWith('is established')).length === 2, settled);
  });

  it.each([
    ['one character', 'a'],
    ['31 characters', 'x'.repeat(31)],
    ['the token of another cluster', formatToken(makeToken('mordor', ['x'.repeat(43)]))],
    ['no whole token', 'fleet-agent-1:lothlorien:secret-of-somebody'],
  ])('AGENT-3: a token that is %s is refused, without its text', async (_, token) => {
    const { status, body } = await on.create(named('lothlorien', { connection: { type: 'proxy', token } }));
    expect([status, body]).toMatchObject([422, { message: expect.stringContaining('spec.connection.token') }]);
    if (token.length > 1) expect(JSON.stringify(body)).not.toContain(token);
    expect(await on.get(`${face}/lothlorien`)).toMatchObject({ status: 404 });
  });

  it('one that names files or programs of the server is refused, without its text', async () => {
    const text =
      'current-context: a\ncontexts: [{name: a, context: {cluster: a, user: a}}]\nclusters: [{name: a, cluster: {server: https://a}}]\nusers: [{name: a, user: {tokenFile: /etc/secret-file}}]';
    const kubeconfig = Buffer.from(text).toString('base64');
    const { status, body } = await on.create(named('mordor', { connection: { kubeconfig } }));
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('tokenFile')]);
    expect(JSON.stringify(body)).not.toMatch(/secret-file|Y3VycmVu/);
    expect(await on.get(`${face}/mordor`)).toMatchObject({ status: 404 });
  });

  it('SEC-4: a Secret of another cluster is not overwritten, and nothing is made', async () => {
    const other = {
      metadata: { name: 'moria', annotations: { 'fleet.karmada.io/cluster': 'rohan' } },
      data: { token: 'YQ==' },
    };
    await requestAs(admin, secrets, {}, false, other);
    const kubeconfig = Buffer.from(fleet.members.get('rohan')!.kubeconfig).toString('base64');
    expect(await on.create(named('moria', { connection: { kubeconfig } }))).toMatchObject({ status: 409 });
    expect(await on.get(`${face}/moria`)).toMatchObject({ status: 404 });
    expect(await on.json(`${secrets}/moria`)).toMatchObject({ data: { token: 'YQ==' } });
  });
});
