import { startApiServer } from '@fleet/client/testing/api-server.ts';
import { describe, expect, test } from 'vitest';
import { PatientUpstream } from '../patient-upstream.ts';
import { findTypes, kindName, type ResourceType, readResourceTypes } from './resource-types.ts';

const type = (group: string, version: string, resource: string, kind: string, more: Partial<ResourceType> = {}) => ({
  group,
  version,
  resource,
  kind,
  singular: kind.toLowerCase(),
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: ['get', 'list', 'watch'],
  ...more,
});

const types: ResourceType[] = [
  type('', 'v1', 'pods', 'Pod', { shortNames: ['po'], categories: ['all'] }),
  type('', 'v1', 'events', 'Event', { shortNames: ['ev'] }),
  type('apps', 'v1', 'deployments', 'Deployment', { shortNames: ['deploy'], categories: ['all'] }),
  type('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', { categories: ['all'] }),
  type('autoscaling', 'v1', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', { categories: ['all'] }),
  type('events.k8s.io', 'v1', 'events', 'Event', { shortNames: ['ev'] }),
  type('metrics.k8s.io', 'v1beta1', 'pods', 'PodMetrics', { singular: 'pod' }),
];

const named = (word: string) => findTypes(types, word).map((one) => `${one.resource}.${one.version}.${one.group}`);

describe('a resource is found as kubectl finds it', () => {
  test.each([
    ['pods', 'pods.v1.'],
    ['pod', 'pods.v1.'],
    ['Pod', 'pods.v1.'],
    ['po', 'pods.v1.'],
    ['deployments.apps', 'deployments.v1.apps'],
    ['deploy.apps', 'deployments.v1.apps'],
    ['deployments.v1.apps', 'deployments.v1.apps'],
    ['pods.metrics.k8s.io', 'pods.v1beta1.metrics.k8s.io'],
    ['PodMetrics', 'pods.v1beta1.metrics.k8s.io'],
    ['horizontalpodautoscalers', 'horizontalpodautoscalers.v2.autoscaling'],
    ['horizontalpodautoscalers.v1.autoscaling', 'horizontalpodautoscalers.v1.autoscaling'],
  ])('%s', (word, found) => expect(named(word)).toEqual([found]));

  test('core before other groups, the beginning of a group if it is enough', () => {
    expect(named('events')).toEqual(['events.v1.']);
    expect(named('events.events')).toEqual(['events.v1.events.k8s.io']);
  });

  test('a category is all that is in it, each kind once', () => {
    expect(named('all')).toEqual(['pods.v1.', 'deployments.v1.apps', 'horizontalpodautoscalers.v2.autoscaling']);
  });

  test('errors for unknown types have the texts of kubectl', () => {
    expect(() => findTypes(types, 'foo')).toThrow('the server doesn\'t have a resource type "foo"');
    expect(() => findTypes(types, 'deployments.batch')).toThrow('"deployments.batch"');
  });
});

test('kinds have their group behind them', () => {
  expect(types.slice(1, 3).map(kindName)).toEqual(['event', 'deployment.apps']);
});

const discovery = (items: unknown[]) => JSON.stringify({ kind: 'APIGroupDiscoveryList', items });
const resource = (name: string, kind: string) => ({
  resource: name,
  responseKind: { group: '', version: 'v1', kind },
  scope: 'Namespaced',
  singularResource: kind.toLowerCase(),
  verbs: ['list'],
});

test('both halves of the discovery are read, in its order', async () => {
  await using server = await startApiServer(({ url }, response) =>
    response.end(
      discovery(
        url === '/api'
          ? [{ metadata: {}, versions: [{ version: 'v1', resources: [resource('pods', 'Pod')] }] }]
          : [
              {
                metadata: { name: 'apps' },
                versions: [{ version: 'v1', resources: [resource('deployments', 'Deployment')] }],
              },
              { metadata: { name: 'empty' } },
            ],
      ),
    ),
  );
  await using upstream = PatientUpstream.to({ url: server.url, tls: {} });
  const found = await readResourceTypes(upstream, new AbortController().signal);
  expect(found.map(({ group, resource: plural }) => `${plural}.${group}`)).toEqual(['pods.', 'deployments.apps']);
  expect(server.requests[0]!.headers.accept).toContain('as=APIGroupDiscoveryList');
});
