/** Policies and templates of few names, so that they match and tie often. */

import fc from 'fast-check';
import type { AnyObject, LabelSelector } from '../../api/objects.ts';
import type { PropagationPolicy, ResourceSelector } from '../../api/policies.ts';
import { permanentIdLabels } from '../claim-marks.ts';

const namespaces = ['one', 'two'];
const kinds = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
];
const labelSets: Record<string, string>[] = [{}, { app: 'a' }, { app: 'b', tier: 'front' }];

const labelSelector: fc.Arbitrary<LabelSelector> = fc.constantFrom<LabelSelector>(
  {},
  { matchLabels: { app: 'a' } },
  { matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
  { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['a'] }] },
);

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const selector: fc.Arbitrary<ResourceSelector> = fc
  .record({
    kind: fc.constantFrom(...kinds),
    namespace: some(fc.constantFrom('', ...namespaces)),
    name: some(fc.constantFrom('', 'x', 'y')),
    labels: some(labelSelector),
  })
  .map(({ kind, namespace, name, labels }) => ({
    ...kind,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(labels === undefined ? {} : { labelSelector: labels }),
  }));

const policy: fc.Arbitrary<PropagationPolicy> = fc
  .record({
    namespace: some(fc.constantFrom(...namespaces)),
    name: fc.constantFrom('p1', 'p2', 'p3', 'p4'),
    resourceSelectors: fc.array(selector, { maxLength: 4 }),
    priority: some(fc.constantFrom(-1, 0, 1)),
    id: some(fc.constantFrom('id1', 'id2', 'id3')),
    isDeleted: fc.nat(5),
  })
  .map(({ namespace, name, resourceSelectors, priority, id, isDeleted }) => ({
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      ...(id ? { labels: { [permanentIdLabels[namespace ? 'namespaced' : 'cluster']]: id } } : {}),
      ...(isDeleted === 0 ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { resourceSelectors, ...(priority === undefined ? {} : { priority }) },
  }));

export const policies: fc.Arbitrary<PropagationPolicy[]> = fc.uniqueArray(policy, {
  maxLength: 12,
  selector: ({ metadata: { namespace, name } }) => `${namespace}/${name}`,
});

export const template: fc.Arbitrary<AnyObject> = fc
  .record({
    kind: fc.constantFrom(...kinds),
    namespace: some(fc.constantFrom(...namespaces)),
    name: fc.constantFrom('x', 'y', 'z'),
    labels: fc.constantFrom(...labelSets),
  })
  .map(({ kind, namespace, name, labels }) => ({
    ...kind,
    metadata: { name, labels, ...(namespace ? { namespace } : {}) },
  }));
