import { expect, it } from 'vitest';
import { servedKinds } from '../testing/known-kinds.ts';
import { isOfAnother } from './resource-kind.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const machinery = { group: 'example.dev', version: 'v1', resource: 'machinery' };
const podMetrics = { group: 'metrics.k8s.io', version: 'v1', resource: 'pods' };

it.each([
  [pods, 'v1', 'Pod', false],
  [pods, 'v1', 'Namespace', true],
  [pods, '', 'Namespace', true],
  [pods, 'v9', 'Namespace', true],
  [pods, 'example.dev/v9', 'Gadget', true],
  [pods, 'metrics.k8s.io/v1', 'PodMetrics', true],
  [podMetrics, 'metrics.k8s.io/v1', 'PodMetrics', false],
  [podMetrics, 'v1', 'Pod', true],
  [machinery, 'example.dev/v1', 'Machine', false],
  [machinery, 'example.dev/v1', 'Gadget', true],
  [pods, 'autoscaling/v1', 'Scale', false],
  [pods, 'unheard.of/v1', 'Thing', false],
])('SEC-1: asked for %o, clients take %s %s for another resource: %s', (asked, apiVersion, kind, other) => {
  expect(isOfAnother(servedKinds, asked, apiVersion, kind)).toBe(other);
});

it('SEC-1: a version that one member makes up does not make its kinds those of the others', () => {
  const made = structuredClone(servedKinds);
  const namespaces = { ...made.core.items[0]!.versions![0]!.resources![0]!, responseKind: { kind: 'Namespace' } };
  made.core.items[0]!.versions!.push({ version: 'v99', resources: [namespaces] });
  expect(namespaces.resource).toBe('pods');
  for (const apiVersion of ['v1', 'v9', '']) expect(isOfAnother(made, pods, apiVersion, 'Namespace')).toBe(true);
  // There it has the kind that it names, for clients too.
  expect(isOfAnother(made, pods, 'v99', 'Namespace')).toBe(false);
  expect(isOfAnother(made, pods, 'v1', 'Pod')).toBe(false);
});

it('SEC-3: a member that claims a kind for a resource of its own does not take it from others', () => {
  const claimed = structuredClone(servedKinds);
  const { resources } = claimed.core.items[0]!.versions![0]!;
  for (const resource of resources!) resource.responseKind = { kind: resource.resource === 'events' ? 'Pod' : 'Other' };
  expect(isOfAnother(claimed, pods, 'v1', 'Pod')).toBe(false);
});

it.each([
  ['meta.k8s.io/v1', 'Table'],
  ['meta.k8s.io/v1', 'PartialObjectMetadata'],
  ['v1', 'Status'],
  ['autoscaling/v1', 'Scale'],
])('SEC-2: a member that claims %s %s for a resource takes no answer from others', (apiVersion, kind) => {
  const claimed = structuredClone(servedKinds);
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const resource = {
    ...claimed.core.items[0]!.versions![0]!.resources![0]!,
    resource: 'claimed',
    responseKind: { kind },
  };
  const versions = [{ version, resources: [resource] }];
  if (group === '') claimed.core.items[0]!.versions![0]!.resources!.push(resource);
  else claimed.groups.items.push({ metadata: { name: group }, versions });
  expect(isOfAnother(claimed, pods, apiVersion, kind)).toBe(false);
});
