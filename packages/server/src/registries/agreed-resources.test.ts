import { describe, expect, it } from 'vitest';
import { cluster, feeds, pods, registry, resource, served, usual } from './testing/registered-fleet.ts';
import { feedsOf, mostWanted, wantsOf } from './wants.ts';

describe('SEC-2: no member decides alone what a resource is', () => {
  const secrets = resource('secrets', 'Secret');
  const honest = served({ v1: [resource('pods', 'Pod'), secrets] });
  const hostile = served({ v1: [resource('secrets', 'Pod'), resource('pods', 'Pod')] });
  const hiding = served({ v1: [resource('secrets', 'Pod')] });
  const unread = { ...cluster('unread'), served: undefined };
  const everyPod = [registry([pods])];

  it.each([
    ['beside the right one', hostile, ['evil /v1 pods Pod *']],
    ['instead of the right one', hiding, []],
  ])('what the control plane or another member serves is not of another kind, %s', (_, evil, own) => {
    expect(feeds(everyPod, [cluster('evil', evil)], honest)).toEqual(own);
    expect(feeds(everyPod, [cluster('evil', evil), cluster('m1', honest)])).toEqual([...own, 'm1 /v1 pods Pod *']);
    const most = [cluster('evil', evil), cluster('evil2', evil), cluster('m1', honest)];
    expect(feeds(everyPod, most, honest)).not.toContainEqual(expect.stringContaining('secrets'));
  });

  it.each([
    ['first', [cluster('evil', hostile), cluster('m1', honest), unread]],
    ['last', [unread, cluster('m1', honest), cluster('evil', hostile)]],
  ])('nor is it of one that was never read, whoever comes %s', (_, clusters) => {
    for (const controlPlane of [undefined, honest, usual]) {
      const wanted = feeds(everyPod, clusters, controlPlane);
      expect(wanted.toSorted()).toEqual(['evil /v1 pods Pod *', 'm1 /v1 pods Pod *', 'unread /v1 pods Pod *']);
    }
    expect(feeds([registry([{ apiVersion: 'v1', kind: 'Secret' }])], clusters).toSorted()).toEqual([
      'm1 /v1 secrets Secret *',
      'unread /v1 secrets Secret *',
    ]);
  });

  it('nor by a kind that every cluster answers with', () => {
    const evil = served({ v1: [resource('secrets', 'Status')] });
    const wanted = feeds(
      [registry([{ apiVersion: 'v1', kind: 'Secret' }])],
      [cluster('evil', evil), unread, cluster('m1', honest)],
    );
    expect(wanted).toEqual(['unread /v1 secrets Secret *', 'm1 /v1 secrets Secret *']);
  });

  it('of several that one member calls by a kind, the one that most do', () => {
    const kinds = [registry([{ apiVersion: 'x.io/v1', kind: 'Thing' }])];
    const of = (...names: string[]) => served({ 'x.io/v1': names.map((name) => resource(name, 'Thing')) });
    const clusters = [cluster('evil', of('a', 'b')), cluster('m1', of('b')), { ...cluster('m2'), served: undefined }];
    expect(feeds(kinds, clusters)).toEqual(['evil', 'm1', 'm2'].map((name) => `${name} x.io/v1 b Thing *`));
    expect(feeds(kinds, [cluster('evil', of('b', 'things', 'a'))])).toEqual(['evil x.io/v1 things Thing *']);
  });

  it('scopes of one that was never read are those that most report: namespaces stay registered', () => {
    const wide = served({ v1: [resource('secrets', 'Secret', { scope: 'Cluster' })] });
    const inShop = [registry([{ apiVersion: 'v1', kind: 'Secret', namespace: 'shop' }])];
    const clusters = [cluster('evil', wide), cluster('m1', honest), cluster('m2', honest), unread];
    expect(feeds(inShop, clusters)).toContain('unread /v1 secrets Secret shop');
    expect(feeds(inShop, [cluster('evil', wide), unread], honest)).toContain('unread /v1 secrets Secret shop');
  });

  it('who lists a name often has one vote, and what is no name is left out', () => {
    const often = served({ v1: [...Array(9).fill(resource('secrets', 'Pod')), resource('pods/x?y', 'Path')] });
    const clusters = [cluster('evil', often), cluster('m1', honest), cluster('m2', honest), unread];
    const wanted = feeds([registry([{ apiVersion: 'v1', kind: '*' }])], clusters);
    expect(wanted.filter((one) => /^(evil|unread)/.test(one))).toEqual([
      'unread /v1 secrets Secret *',
      'unread /v1 pods Pod *',
    ]);
  });

  it('one registry wants so many of one member, and those first that most have', () => {
    const madeUp = Array.from({ length: 3 * mostWanted }, (_, index) => resource(`r${index}`, `R${index}`));
    const many = served({ v1: [...madeUp, resource('pods', 'Pod')] });
    const clusters = [cluster('evil', many), cluster('m1', honest), unread];
    const wants = wantsOf([registry([{ apiVersion: 'v1', kind: '*' }])], clusters);
    for (const name of ['evil', 'unread']) {
      expect(wants.get(name)!.size).toBe(mostWanted);
      expect(wants.get(name)!.has('/v1/pods')).toBe(true);
    }
    expect(wants.get('m1')!.size).toBe(2);
  });

  it('selectors of many namespaces are of one resource', () => {
    const namespaces = Array.from({ length: mostWanted + 1 }, (_, index) => `n${index}`);
    const [one] = feedsOf(
      wantsOf([registry(namespaces.map((namespace) => ({ ...pods, namespace })))], [cluster('m1')]),
    );
    expect(one!.namespaces!.size).toBe(namespaces.length);
  });
});
