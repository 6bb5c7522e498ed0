import { describe, expect, it } from 'vitest';
import { mostResources } from './bounded.ts';
import { IndexedWants } from './indexed-wants.ts';
import { sameSelection } from './same-wants.ts';
import { cluster, feeds, pods, registry, resource, served, usual } from './testing/registered-fleet.ts';
import { feedsOf, selectionOf, wantsOf, wantsOfRegistry } from './wants.ts';

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
      const selected = feeds(everyPod, clusters, controlPlane);
      expect(selected.toSorted()).toEqual(['evil /v1 pods Pod *', 'm1 /v1 pods Pod *', 'unread /v1 pods Pod *']);
    }
    expect(feeds([registry([{ apiVersion: 'v1', kind: 'Secret' }])], clusters).toSorted()).toEqual([
      'm1 /v1 secrets Secret *',
      'unread /v1 secrets Secret *',
    ]);
  });

  it('nor by a kind that every cluster answers with', () => {
    const evil = served({ v1: [resource('secrets', 'Status')] });
    const selected = feeds(
      [registry([{ apiVersion: 'v1', kind: 'Secret' }])],
      [cluster('evil', evil), unread, cluster('m1', honest)],
    );
    expect(selected).toEqual(['unread /v1 secrets Secret *', 'm1 /v1 secrets Secret *']);
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
    const selected = feeds([registry([{ apiVersion: 'v1', kind: '*' }])], clusters);
    expect(selected.filter((one) => /^(evil|unread)/.test(one))).toEqual([
      'unread /v1 secrets Secret *',
      'unread /v1 pods Pod *',
    ]);
  });

  it.each([
    ['a kind of megabytes', 'bombs', 'K'.repeat(3_500_000)],
    ['a kind of 64 characters', 'bombs', 'K'.repeat(64)],
    ['no kind', 'bombs', ''],
    ['a kind that begins with a digit', 'bombs', '9Bomb'],
    ['a kind with other characters', 'bombs', 'Bomb/Status'],
    ['a kind that ends in a line break', 'bombs', 'Bomb\n'],
    ['a resource of 64 characters', 'b'.repeat(64), 'Bomb'],
    ['a resource with a dot', 'bombs.x', 'Bomb'],
    ['a resource in capitals', 'Bombs', 'Bomb'],
  ])('names that Kubernetes refuses are left out: %s', (_, name, kind) => {
    const evil = served({ v1: [resource(name, kind), resource('pods', 'Pod')] });
    expect(feeds([registry([{ apiVersion: 'v1', kind: '*' }])], [cluster('evil', evil), unread])).toEqual([
      'evil /v1 pods Pod *',
      'unread /v1 pods Pod *',
    ]);
  });

  it('the longest names that Kubernetes allows are not', () => {
    const long = served({ 'x.io/v1': [resource('r'.repeat(63), `K${'k'.repeat(62)}`), resource('9s', 'I-O')] });
    expect(feeds([registry([{ apiVersion: 'x.io/v1', kind: '*' }])], [cluster('m1', long)])).toHaveLength(2);
  });

  it('one registry wants so many of one member, and those first that most have', () => {
    const madeUp = Array.from({ length: 3 * mostResources }, (_, index) => resource(`r${index}`, `R${index}`));
    const many = served({ v1: [...madeUp, resource('pods', 'Pod')] });
    const clusters = [cluster('evil', many), cluster('m1', honest), unread];
    const wants = wantsOf([registry([{ apiVersion: 'v1', kind: '*' }])], clusters);
    for (const name of ['evil', 'unread']) {
      expect(wants.get(name)!.size).toBe(mostResources);
      expect(wants.get(name)!.has('/v1/pods')).toBe(true);
    }
    expect(wants.get('m1')!.size).toBe(2);
  });

  it('selectors of many namespaces are of one resource', () => {
    const namespaces = Array.from({ length: mostResources + 1 }, (_, index) => `n${index}`);
    const [one] = feedsOf(
      wantsOf([registry(namespaces.map((namespace) => ({ ...pods, namespace })))], [cluster('m1')]),
    );
    expect(one!.namespaces!.size).toBe(namespaces.length);
  });
});

describe('CACHE-3: a member’s own word counts for its own part', () => {
  const of = (resources: Record<string, string>) =>
    served({ 'x.io/v1': Object.entries(resources).map(([name, kind]) => resource(name, kind)) });
  const [honest, evil, nothing] = [of({ meshes: 'Mesh' }), of({ meshes: 'Meshe' }), of({})];
  const mesh = registry([{ apiVersion: 'x.io/v1', kind: 'Mesh' }]);
  const unread = { ...cluster('unread'), served: undefined };
  const meshes = { group: 'x.io', version: 'v1', resource: 'meshes', namespace: undefined };
  const index = (...args: Parameters<typeof selectionOf>) => new IndexedWants(selectionOf(...args));

  it.each([
    ['first', [cluster('evil', evil), cluster('m1', honest), cluster('m2', nothing)]],
    ['last', [cluster('m2', nothing), cluster('m1', honest), cluster('evil', evil)]],
  ])(
    'a plural that Kubernetes would not derive is not lost by one claim of another member, which comes %s',
    (_, all) => {
      for (const controlPlane of [undefined, usual]) {
        expect(feeds([mesh], all, controlPlane)).toEqual(['m1 x.io/v1 meshes Mesh *']);
        const every = registry([{ apiVersion: 'x.io/v1', kind: '*' }]);
        expect(feeds([every], all, controlPlane)).toContain('m1 x.io/v1 meshes Mesh *');
      }
    },
  );

  it('nor by several that describe its kind in other scopes', () => {
    const wide = served({ 'x.io/v1': [resource('meshes', 'Mesh', { scope: 'Cluster' })] });
    const all = [cluster('m1', honest), cluster('m2', wide), cluster('evil', evil), cluster('evil2', evil)];
    expect(feeds([mesh], all)).toEqual(['m1 x.io/v1 meshes Mesh *', 'm2 x.io/v1 meshes Mesh *']);
  });

  it('one that was never read may be of either side of a tie: it is missing, not absent', () => {
    const all = [cluster('evil', evil), cluster('m1', honest), unread];
    expect(feeds([mesh], all)).toEqual(['m1 x.io/v1 meshes Mesh *', 'unread x.io/v1 meshes Mesh *']);
  });

  describe('a part that is outvoted is not cached, but missing, not absent', () => {
    const outvoted = [cluster('e1', evil), cluster('m1', honest), cluster('e2', evil)];

    it('by members: they alone answer for it', () => {
      const indexed = index([mesh], outvoted, usual);
      expect([...feedsOf(indexed.wants)]).toEqual([]);
      expect(indexed.isRegistered(meshes)).toBe(true);
      expect(indexed.versionsOf(meshes)).toEqual(['v1']);
      expect([...indexed.clustersOf(meshes)]).toEqual(['m1']);
      const { disputed, notServed } = wantsOfRegistry(mesh, outvoted, usual).get('m1')!;
      expect([...disputed.keys()]).toEqual(['x.io/v1/meshes']);
      expect(notServed).toEqual([]);
      expect(wantsOfRegistry(mesh, outvoted, usual).get('e1')).toMatchObject({
        notServed: mesh.spec!.resourceSelectors,
      });
    });

    it('by the control plane: it stays the control plane’s, and the search endpoint knows what is missing', () => {
      const indexed = index([mesh], [cluster('m1', honest)], evil);
      expect(indexed.isRegistered(meshes)).toBe(false);
      expect(indexed.versionsOf(meshes)).toEqual([]);
      expect([...indexed.clustersOf(meshes)]).toEqual(['m1']);
    });

    it('a control plane that was not read yet may serve it', () => {
      expect(index([mesh], outvoted).isRegistered(meshes)).toBe(false);
    });

    it('only the registered namespaces of it', () => {
      const inShop = registry([{ apiVersion: 'x.io/v1', kind: 'Mesh', namespace: 'shop' }]);
      const indexed = index([inShop], outvoted, usual);
      expect([...indexed.clustersOf({ ...meshes, namespace: 'other' })]).toEqual([]);
      expect([...indexed.namespacesOf('m1', meshes)!]).toEqual(['shop']);
    });

    it('what a member calls by a kind that it has under the right name, too, is left out', () => {
      const evilPods = served({ v1: [resource('secrets', 'Pod'), resource('pods', 'Pod')] });
      const controlPlane = served({ v1: [resource('secrets', 'Secret'), resource('pods', 'Pod')] });
      const { disputed } = wantsOfRegistry(registry([pods]), [cluster('evil', evilPods)], controlPlane).get('evil')!;
      expect([...disputed.keys()]).toEqual([]);
    });

    it('a refresh notices it', () => {
      const [before, after] = [[cluster('m1', honest)], outvoted].map((all) => selectionOf([mesh], all, usual));
      expect(sameSelection(before!, after!)).toBe(false);
      expect(sameSelection(after!, selectionOf([mesh], outvoted, usual))).toBe(true);
      expect(sameSelection(after!, selectionOf([mesh], outvoted, evil))).toBe(false);
    });
  });
});
