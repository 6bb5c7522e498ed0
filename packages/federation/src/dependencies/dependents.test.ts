import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import type { Dependency } from '../explore/object-rules.ts';
import { Kinds, type Resource } from '../kinds/kinds.ts';
import { dependentsOf, indexKeysFor, indexKeysOf, isMeant, type TemplateSource } from './dependents.ts';

const verbs = ['list'];
const kinds = new Kinds([
  {
    apiVersion: 'v1',
    group: '',
    version: 'v1',
    kind: 'Secret',
    plural: 'secrets',
    namespaced: true,
    verbs,
    preferred: true,
  },
  ...['v2', 'v1'].map(
    (version): Resource => ({
      apiVersion: `example.io/${version}`,
      group: 'example.io',
      version,
      kind: 'Thing',
      plural: 'things',
      namespaced: false,
      verbs,
      preferred: version === 'v2',
    }),
  ),
]);

const secret = (name: string, namespace = 'shop', labels: Record<string, string> = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, labels },
});
const thing: AnyObject = { apiVersion: 'example.io/v2', kind: 'Thing', metadata: { name: 'x' } };
const objects = [
  secret('a', 'shop', { app: 'web' }),
  secret('b', 'shop', { app: 'db' }),
  secret('a', 'other', { app: 'web' }),
  secret('c', 'kube-system', { app: 'web' }),
  thing,
];

/** As `Templates` is: only the preferred version is known. */
const templates: TemplateSource = {
  kinds,
  get: ({ apiVersion, kind, namespace, name }) =>
    objects.find(
      ({ apiVersion: version, kind: one, metadata }) =>
        version === apiVersion && one === kind && metadata.namespace === namespace && metadata.name === name,
    ),
  ofKind: ({ apiVersion, kind }) => objects.filter((one) => one.apiVersion === apiVersion && one.kind === kind),
};

const of = (dependency: Partial<Dependency>): Dependency => ({ apiVersion: 'v1', kind: 'Secret', ...dependency });
const web = { matchLabels: { app: 'web' } };

describe('FED-11: the dependents of a template', () => {
  it.each<[string, Dependency, string[]]>([
    ['by name', of({ namespace: 'shop', name: 'a' }), ['shop/a']],
    ['by name, of none', of({ namespace: 'shop', name: 'z' }), []],
    ['by labels, in its namespace only', of({ namespace: 'shop', labelSelector: web }), ['shop/a']],
    ['by an empty selector', of({ namespace: 'shop', labelSelector: {} }), ['shop/a', 'shop/b']],
    ['a name makes the selector void', of({ namespace: 'shop', name: 'b', labelSelector: web }), ['shop/b']],
    ['neither name nor selector', of({ namespace: 'shop' }), []],
    ['FED-19: never a template', of({ namespace: 'kube-system', name: 'c' }), []],
    [
      'cluster-scoped, in a version that is not preferred',
      { apiVersion: 'example.io/v1', kind: 'Thing', name: 'x' },
      ['/x'],
    ],
    ['a kind that is not served', of({ kind: 'Missing', namespace: 'shop', name: 'a' }), []],
  ])('%s', (_what, dependency, expected) => {
    const found = dependentsOf([dependency], templates);
    expect(found.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)).toEqual(expected);
    for (const object of objects) {
      const name = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
      if (name !== 'kube-system/c')
        expect([name, isMeant([dependency], object)]).toEqual([name, expected.includes(name)]);
    }
  });

  it('are each found once', () => {
    const twice = [of({ namespace: 'shop', name: 'a' }), of({ namespace: 'shop', labelSelector: web })];
    expect(dependentsOf(twice, templates)).toEqual([objects[0]]);
  });

  it('are found by what their parents are indexed by', () => {
    const dependencies = [
      of({ namespace: 'shop', name: 'a' }),
      of({ namespace: 'shop', labelSelector: web }),
      { apiVersion: 'example.io/v1', kind: 'Thing', name: 'x' },
    ];
    for (const dependency of dependencies) {
      const keys = indexKeysOf([dependency]);
      for (const object of objects) {
        if (isMeant([dependency], object)) expect(indexKeysFor(object).some((key) => keys.includes(key))).toBe(true);
      }
    }
    const unrelated = indexKeysOf([of({ namespace: 'shop', name: 'a' })]);
    expect(indexKeysFor(objects[1]!).some((key) => unrelated.includes(key))).toBe(false);
  });
});
