/** A fleet with federation whose control plane and members are in memory, and commands that are run against it as they are typed. */

import { buffer } from 'node:stream/consumers';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { Resource } from '@fleet/federation/kinds/kinds.ts';
import { type FakeControlPlane, fakeControlPlane } from '@fleet/federation/testing/fake-control-plane.ts';
import { servedKinds } from '@fleet/federation/testing/fake-pipeline.ts';
import { type FakeFleet, startFakeFleet } from './fake-fleet.ts';

export interface FederatedFleet {
  controlPlane: FakeControlPlane;
  members: Map<string, FakeControlPlane>;
  run: FakeFleet['run'];
  /** Path and answer of what is not in memory: of `karmada` or of a member. */
  answers: Map<string, { status: number; body: object }>;
  /** Joins a member that is ready and serves `served`. */
  join(name: string, more?: Partial<{ taints: object[]; region: string; ready: boolean }>): FakeControlPlane;
}

export const widgets: Resource = {
  ...{ apiVersion: 'example.io/v1', group: 'example.io', version: 'v1', kind: 'Widget', plural: 'widgets' },
  ...{ namespaced: true, verbs: ['get', 'list', 'watch', 'create', 'patch'], preferred: true },
};

const policyKind = (kind: string, plural: string, namespaced: boolean): Resource => ({
  ...{ apiVersion: 'policy.karmada.io/v1alpha1', group: 'policy.karmada.io', version: 'v1alpha1', kind, plural },
  ...{ namespaced, verbs: widgets.verbs, preferred: true },
});

const kinds: readonly Resource[] = [
  ...servedKinds,
  widgets,
  policyKind('PropagationPolicy', 'propagationpolicies', true),
  policyKind('ClusterPropagationPolicy', 'clusterpropagationpolicies', false),
  policyKind('OverridePolicy', 'overridepolicies', true),
];

const discoveryOf = (resources: readonly Resource[]) => ({
  kind: 'APIGroupDiscoveryList',
  items: resources.map(({ group, version, plural, kind, namespaced, verbs }) => ({
    metadata: { name: group },
    versions: [
      {
        version,
        resources: [
          {
            resource: plural,
            responseKind: { group, version, kind },
            scope: namespaced ? 'Namespaced' : 'Cluster',
            singularResource: kind.toLowerCase(),
            verbs,
          },
        ],
      },
    ],
  })),
});

export async function startFederatedFleet(): Promise<FederatedFleet> {
  const controlPlane = fakeControlPlane();
  controlPlane.objects.create(
    { group: '', resource: 'namespaces' },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  );
  const members = new Map<string, FakeControlPlane>();
  const answers: FederatedFleet['answers'] = new Map();
  const { run } = await startFakeFleet(async (request, response) => {
    const [, place = '', path = ''] = /^\/clusterspaces\/([^/]+)(\/.*)$/.exec(request.url!) ?? [];
    const reply = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    const known = answers.get(`${place}${path.split('?')[0]}`);
    if (known) return reply(known.status, known.body);
    if (path === '/api') return reply(200, discoveryOf(kinds.filter(({ group }) => group === '')));
    if (path === '/apis') return reply(200, discoveryOf(kinds.filter(({ group }) => group !== '')));
    const at = place === 'karmada' ? controlPlane : members.get(place);
    if (!at) return reply(404, { kind: 'Status', code: 404, message: `there is no cluster "${place}"` });
    const body = await buffer(request);
    // As a server answers, but for its defaults.
    if (request.method === 'POST' && path.includes('dryRun=All')) return reply(201, JSON.parse(body.toString()));
    const call = { method: request.method!, path, headers: {}, signal: new AbortController().signal };
    const answer = await at.client.upstream.call({ ...call, ...(body.length > 0 ? { body } : {}) });
    return response.writeHead(answer.status).end(await answer.body.bytes());
  });
  const join: FederatedFleet['join'] = (name, { ready = true, ...spec } = {}) => {
    const member = fakeControlPlane();
    members.set(name, member);
    member.objects.create(
      { group: '', resource: 'namespaces' },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    );
    put(controlPlane, 'cluster.karmada.io', 'clusters', {
      ...{ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name } },
      spec: { syncMode: 'Push', ...spec },
      status: {
        conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', message: ready ? 'is ready' : 'no route' }],
        apiEnablements: kinds.map(({ apiVersion, kind, plural }) => ({
          groupVersion: apiVersion,
          resources: [{ name: plural, kind }],
        })),
      },
    });
    return member;
  };
  return { controlPlane, members, run, answers, join };
}

/** With its status, which servers take separately. */
export function put({ objects }: FakeControlPlane, group: string, resource: string, object: AnyObject): AnyObject {
  const { namespace, name } = object.metadata;
  const place = { group, resource, ...(namespace ? { namespace } : {}) };
  const made = objects.find(place, name) ?? objects.create(place, object);
  const { resourceVersion, uid } = made.metadata;
  const next = {
    ...object,
    metadata: { ...made.metadata, ...object.metadata, uid: uid!, resourceVersion: resourceVersion! },
  };
  objects.replace(place, name, next);
  if (object['status'] === undefined) return objects.get(place, name);
  const { resourceVersion: version } = objects.get(place, name).metadata;
  return objects.replace(place, name, { ...next, metadata: { ...next.metadata, resourceVersion: version! } }, 'status');
}

/** Whatever finalizers it has. */
export function remove(
  { controlPlane }: FederatedFleet,
  group: string,
  resource: string,
  { metadata }: AnyObject,
): void {
  const { namespace, name } = metadata;
  const { objects } = controlPlane;
  const place = { group, resource, ...(namespace ? { namespace } : {}) };
  const known = objects.get(place, name);
  objects.replace(place, name, { ...known, metadata: { ...known.metadata, finalizers: [] } });
  objects.delete(place, name);
}
