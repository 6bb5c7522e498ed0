import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import type { Work } from '../api/works.ts';
import { isPropagated, type NamespaceMember, namespaceOwner, namespacesOf, planOf } from './namespace-plan.ts';

const namespace = (name: string, more: Partial<AnyObject['metadata']> = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, uid: `uid of ${name}`, ...more },
});
const label = (value: string) => ({ labels: { 'namespace.karmada.io/skip-auto-propagation': value } });

const member = (name: string, more: Partial<NamespaceMember> = {}): NamespaceMember => ({
  name,
  federated: true,
  leaving: false,
  hasSpace: true,
  ...more,
});

const work = (cluster: string, labels: Record<string, string> = {}): Work => ({
  metadata: {
    name: 'shop-1',
    namespace: `karmada-es-${cluster}`,
    labels,
    ownerReferences: [namespaceOwner(namespace('shop'))],
  },
  spec: {},
});

const plan = (members: NamespaceMember[], more: Partial<Parameters<typeof planOf>[0]> = {}) => {
  const { give, release, remove } = planOf({
    namespace: namespace('shop'),
    members,
    chosen: undefined,
    preserves: false,
    works: [],
    ...more,
  });
  const spaces = (works: Work[]) => works.map(({ metadata }) => metadata.namespace);
  return { give, release: spaces(release), remove: spaces(remove) };
};
const nothing = { give: [], release: [], remove: [] };

describe('FED-10: a namespace is propagated', () => {
  it.each([
    ['shop', true],
    ['default', false],
    ['default-2', true],
    ['kube-system', false],
    ['kube-anything', false],
    ['kube', true],
    ['my-kube-system', true],
    ['karmada-system', false],
    ['karmada-cluster', false],
    ['karmada-es-m1', false],
    ['karmada-monitoring', true],
  ])('%s: %s', (name, expected) => {
    expect(isPropagated(namespace(name))).toBe(expected);
  });

  it.each([
    ['true', false],
    ['True', false],
    ['false', true],
    ['', true],
    ['yes', true],
  ])('with the label %j: %s', (value, expected) => {
    expect(isPropagated(namespace('shop', label(value)))).toBe(expected);
  });
});

describe('where a namespace goes', () => {
  it('FED-10: to every federated member that has its execution space and is not being removed', () => {
    const members = [
      member('m1'),
      member('m2', { federated: false }),
      member('m3', { leaving: true }),
      member('m4', { hasSpace: false }),
      member('m5'),
    ];
    expect(plan(members)).toEqual({ ...nothing, give: ['m1', 'm5'] });
  });

  it('FED-10: nowhere while it is being deleted, or with the label; what was given stays', () => {
    for (const more of [label('true'), { deletionTimestamp: '2026-01-01T00:00:00Z' }]) {
      const state = { namespace: namespace('shop', more), works: [work('m1')] };
      expect(plan([member('m1'), member('m2')], state)).toEqual(nothing);
    }
  });

  it('FED-10: with chosen, only to members that something there is scheduled to, and it is not taken away again', () => {
    const members = [member('m1'), member('m2'), member('m3')];
    const given = plan(members, { chosen: new Set(['m1', 'other']), works: [work('m3')] });
    expect(given).toEqual({ ...nothing, give: ['m1', 'm3'] });
    expect(plan(members, { chosen: new Set() })).toEqual(nothing);
  });

  it('FED-9: the Work of a member that is being removed goes, also of a namespace that is no longer propagated', () => {
    const members = [member('m1', { leaving: true, federated: false }), member('m2')];
    const works = [work('m1'), work('m2')];
    expect(plan(members, { works })).toEqual({ give: ['m2'], release: [], remove: ['karmada-es-m1'] });
    const skipped = { namespace: namespace('shop', label('true')), works };
    expect(plan(members, skipped)).toEqual({ ...nothing, remove: ['karmada-es-m1'] });
    // With the namespace what is to stay in it would go.
    expect(plan(members, { works, preserves: true })).toEqual({ give: ['m2'], release: ['karmada-es-m1'], remove: [] });
  });

  it('FED-10: a member that is no longer federated keeps the namespace', () => {
    const state = { works: [work('m1'), work('m2')] };
    expect(plan([member('m1', { federated: false }), member('m2')], state)).toEqual({
      give: ['m2'],
      release: ['karmada-es-m1'],
      remove: [],
    });
  });

  it('FED-3: a Work that a policy has claimed is left to its binding', () => {
    const claimed = work('m1', { 'clusterresourcebinding.karmada.io/permanent-id': 'id' });
    expect(plan([member('m1', { leaving: true })], { works: [claimed] })).toEqual(nothing);
    expect(plan([member('m1', { federated: false })], { works: [claimed] })).toEqual(nothing);
  });
});

describe('the namespace of a Work', () => {
  it('FED-10: is its controller', () => {
    expect(namespacesOf(work('m1'))).toEqual(['shop']);
    expect(namespacesOf({ metadata: { name: 'w' } })).toEqual([]);
    const other = { ...namespaceOwner(namespace('shop')), controller: false };
    expect(namespacesOf({ metadata: { name: 'w', ownerReferences: [other] } })).toEqual([]);
  });
});
