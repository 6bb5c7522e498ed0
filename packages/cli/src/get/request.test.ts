import { describe, expect, test } from 'vitest';
import { UsageError } from '../errors.ts';
import { pathOf, requestsOf, type Scope } from './request.ts';
import type { ResourceType } from './resource-types.ts';

const type = (group: string, resource: string, kind: string, namespaced = true): ResourceType => ({
  group,
  version: 'v1',
  resource,
  kind,
  singular: kind.toLowerCase(),
  namespaced,
  shortNames: [],
  categories: [],
  verbs: ['get', 'list'],
});
const types = [
  type('', 'pods', 'Pod'),
  type('', 'nodes', 'Node', false),
  type('', 'services', 'Service'),
  type('apps', 'deployments', 'Deployment'),
];
const scope: Scope = { namespace: 'shop', allNamespaces: false };
const everywhere: Scope = { ...scope, allNamespaces: true };

const asked = (words: string, within = scope) =>
  requestsOf(words.split(' '), types, within).map((request) => pathOf(request, within));

describe('arguments become requests', () => {
  test.each([
    ['pods', ['/api/v1/namespaces/shop/pods']],
    ['pods,deployments', ['/api/v1/namespaces/shop/pods', '/apis/apps/v1/namespaces/shop/deployments']],
    ['pods,pod', ['/api/v1/namespaces/shop/pods']],
    ['pod x y', ['/api/v1/namespaces/shop/pods/x', '/api/v1/namespaces/shop/pods/y']],
    ['pod/x deployment/y', ['/api/v1/namespaces/shop/pods/x', '/apis/apps/v1/namespaces/shop/deployments/y']],
    ['nodes', ['/api/v1/nodes']],
    ['pod x.clusterspace.member1', ['/api/v1/namespaces/shop/pods/x.clusterspace.member1']],
  ])('%s', (words, paths) => expect(asked(words)).toEqual(paths));

  test('of all namespaces', () => {
    expect(asked('pods,nodes', everywhere)).toEqual(['/api/v1/pods', '/api/v1/nodes']);
    expect(asked('node x', everywhere)).toEqual(['/api/v1/nodes/x']);
  });

  test('what is typed never becomes another path', () => {
    expect(asked('pod ..')).toEqual(['/api/v1/namespaces/shop/pods/..']);
    expect(() => asked('pod/x/log')).toThrow(UsageError);
    expect(pathOf({ type: types[0]!, name: 'x?y' }, { ...scope, namespace: 'a/b' })).toBe(
      '/api/v1/namespaces/a%2Fb/pods/x%3Fy',
    );
  });
});

describe('a wrong call', () => {
  test.each([
    ['pods,', scope],
    ['pod/', scope],
    ['pod/x y', scope],
    ['pod x', everywhere],
    ['pod x', { ...scope, selector: 'a=b' }],
  ])('%s', (words, within) => expect(() => asked(words, within)).toThrow(UsageError));
});
