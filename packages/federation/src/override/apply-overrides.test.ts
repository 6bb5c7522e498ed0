import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import type { OverridePolicy, OverrideRule, OverrideSpec } from '../api/policies.ts';
import { applyOverrides } from './apply-overrides.ts';
import { OverrideError } from './override-error.ts';

const manifest: AnyObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'nginx', namespace: 'default', labels: { app: 'nginx' } },
  spec: { replicas: 3 },
};
const m1 = { metadata: { name: 'm1', labels: { size: 'big' } }, spec: { region: 'eu' } };

/** Each appends its own mark, so that the order shows. */
const marking = (mark: string, targetCluster?: OverrideRule['targetCluster']): OverrideRule => ({
  ...(targetCluster && { targetCluster }),
  overriders: { plaintext: [{ path: '/marks/-', operator: 'add', value: mark }] },
});
const marked = { ...manifest, marks: [] };
const marksOf = (result: { manifest: AnyObject }): unknown => result.manifest['marks'];

const policy = (name: string, spec: OverrideSpec = {}, namespace?: string): OverridePolicy => ({
  metadata: { name, ...(namespace && { namespace }) },
  spec: { overrideRules: [marking(name)], ...spec },
});
const selector = { apiVersion: 'apps/v1', kind: 'Deployment' };
const all = { resourceSelectors: [selector] };
const byLabel = { resourceSelectors: [{ ...selector, labelSelector: { matchLabels: { app: 'nginx' } } }] };
const named = { resourceSelectors: [{ ...selector, name: 'nginx' }] };

describe('FED-7: which override policies are applied', () => {
  it('FED-7: less specific first, then by name', () => {
    const policies = [
      policy('name-b', named),
      policy('name-a', named),
      policy('labels', byLabel),
      policy('everything'),
      policy('kind', all),
      policy('both', { resourceSelectors: [selector, ...named.resourceSelectors] }),
    ];
    const expected = ['everything', 'kind', 'labels', 'both', 'name-a', 'name-b'];
    expect(marksOf(applyOverrides(marked, m1, policies, []))).toEqual(expected);
    expect(marksOf(applyOverrides(marked, m1, policies.toReversed(), []))).toEqual(expected);
  });

  it("FED-7: cluster policies first, then the namespace's, however specific", () => {
    const result = applyOverrides(
      marked,
      m1,
      [policy('of-all', named)],
      [policy('own', {}, 'default'), policy('other', {}, 'other')],
    );
    expect(marksOf(result)).toEqual(['of-all', 'own']);
  });

  it('FED-7: an object without a namespace has cluster policies only', () => {
    const { namespace: _, ...metadata } = manifest.metadata;
    const result = applyOverrides({ ...marked, metadata }, m1, [policy('a')], [policy('b', {}, 'default')]);
    expect(marksOf(result)).toEqual(['a']);
  });

  it.each<[string, OverrideSpec]>([
    ['another kind', { resourceSelectors: [{ ...selector, kind: 'Job' }] }],
    ['another version', { resourceSelectors: [{ ...selector, apiVersion: 'apps/v1beta1' }] }],
    ['another namespace', { resourceSelectors: [{ ...selector, namespace: 'other' }] }],
    ['another name, though the labels match', { resourceSelectors: [{ ...byLabel.resourceSelectors[0]!, name: 'x' }] }],
    ['other labels', { resourceSelectors: [{ ...selector, labelSelector: { matchLabels: { app: 'x' } } }] }],
    ['another cluster', { overrideRules: [marking('x', { clusterNames: ['m2'] })] }],
    ['an excluded cluster', { overrideRules: [marking('x', { exclude: ['m1'] })] }],
    [
      'a cluster with another label',
      { overrideRules: [marking('x', { labelSelector: { matchLabels: { size: 's' } } })] },
    ],
  ])('FED-7: %s', (_, spec) => {
    const result = applyOverrides(marked, m1, [policy('a', spec)], []);
    expect(result).toEqual({ manifest: marked });
  });

  it('FED-7: rules in the order of the list, those that match the cluster', () => {
    const overrideRules = [
      marking('b', { labelSelector: { matchLabels: { size: 'big' } } }),
      marking('no', { clusterNames: ['m2'] }),
      marking('a'),
    ];
    expect(marksOf(applyOverrides(marked, m1, [policy('p', { overrideRules })], []))).toEqual(['b', 'a']);
  });

  it('FED-7: the first form, targetCluster and overriders', () => {
    const { overriders } = marking('old');
    const old = (targetCluster: OverrideRule['targetCluster'] | undefined): OverridePolicy => ({
      metadata: { name: 'p' },
      spec: { ...(targetCluster && { targetCluster }), overriders },
    });
    expect(marksOf(applyOverrides(marked, m1, [old({ clusterNames: ['m1'] })], []))).toEqual(['old']);
    expect(marksOf(applyOverrides(marked, m1, [old(undefined)], []))).toEqual(['old']);
    expect(marksOf(applyOverrides(marked, m1, [old({ clusterNames: ['m2'] })], []))).toEqual([]);
    const both = { ...old(undefined), spec: { overriders, overrideRules: [marking('new')] } };
    expect(marksOf(applyOverrides(marked, m1, [both], []))).toEqual(['new']);
  });

  it("FED-7: the namespace's policies see the labels that cluster policies have made", () => {
    const relabel = policy('a', {
      overrideRules: [{ overriders: { labelsOverrider: [{ operator: 'replace', value: { app: 'other' } }] } }],
    });
    expect(marksOf(applyOverrides(marked, m1, [relabel], [policy('b', byLabel, 'default')]))).toEqual([]);
    expect(marksOf(applyOverrides(marked, m1, [relabel, policy('z', byLabel)], []))).toEqual(['z']);
  });
});

describe('FED-7: what was applied is recorded', () => {
  it("FED-7: in Karmada's order of fields, by policy, with Go's escapes", () => {
    const b: OverridePolicy = {
      metadata: { name: 'b' },
      spec: {
        overrideRules: [
          {
            overriders: {
              fieldOverrider: [],
              annotationsOverrider: [{ value: { z: '<a&b>', a: '1' }, operator: 'add' }],
              imageOverrider: [],
              plaintext: [
                { value: 2, path: '/spec/replicas', operator: 'replace' },
                { path: '/spec/replicas', operator: 'remove' },
              ],
            },
          },
        ],
      },
    };
    const a: OverridePolicy = { metadata: { name: 'a' }, spec: named };
    const result = applyOverrides(manifest, m1, [a, b], []);
    expect(result.appliedClusterOverrides).toBe(
      '[{"policyName":"a","overriders":{}},{"policyName":"b","overriders":{' +
        '"plaintext":[{"path":"/spec/replicas","operator":"replace","value":2},' +
        '{"path":"/spec/replicas","operator":"remove","value":null}],' +
        '"annotationsOverrider":[{"operator":"add","value":{"a":"1","z":"\\u003ca\\u0026b\\u003e"}}]}}]',
    );
    expect(result).not.toHaveProperty('appliedOverrides');
  });

  it('FED-7: every overrider', () => {
    const overriders: OverrideRule['overriders'] = {
      imageOverrider: [
        { value: '', operator: 'remove', component: 'Tag' },
        { predicate: { path: '/image' }, component: 'Registry', operator: 'add', value: 'r.io' },
      ],
      commandOverrider: [{ operator: 'add', value: [], containerName: 'c' }],
      argsOverrider: [{ operator: 'remove', value: ['x'], containerName: 'c' }],
      labelsOverrider: [{ operator: 'remove', value: { l: '' } }],
      fieldOverrider: [
        { yaml: [{ operator: 'add', subPath: '/a', value: { b: 1 } }], fieldPath: '/text' },
        { json: [{ operator: 'remove', subPath: '/a' }], fieldPath: '/json' },
      ],
    };
    const before = { ...manifest, image: 'x', text: '{}', json: '{"a":1}' };
    const rule = {
      metadata: { name: 'p', namespace: 'default' },
      spec: { overrideRules: [{ overriders }, { overriders: {} }] },
    };
    expect(applyOverrides(before, m1, [], [rule]).appliedOverrides).toBe(
      '[{"policyName":"p","overriders":{' +
        '"imageOverrider":[{"component":"Tag","operator":"remove"},' +
        '{"predicate":{"path":"/image"},"component":"Registry","operator":"add","value":"r.io"}],' +
        '"commandOverrider":[{"containerName":"c","operator":"add"}],' +
        '"argsOverrider":[{"containerName":"c","operator":"remove","value":["x"]}],' +
        '"labelsOverrider":[{"operator":"remove","value":{"l":""}}],' +
        '"fieldOverrider":[{"fieldPath":"/text","yaml":[{"subPath":"/a","operator":"add","value":{"b":1}}]},' +
        '{"fieldPath":"/json","json":[{"subPath":"/a","operator":"remove","value":null}]}]}},' +
        '{"policyName":"p","overriders":{}}]',
    );
  });
});

describe('FED-7: an override that cannot be applied', () => {
  const failing: OverrideSpec = {
    overrideRules: [{ overriders: { plaintext: [{ path: '/none/x', operator: 'add', value: 1 }] } }],
  };

  it.each([
    [undefined, { kind: 'ClusterOverridePolicy', name: 'bad' }, 'cluster override policy(bad)'],
    ['default', { kind: 'OverridePolicy', namespace: 'default', name: 'bad' }, 'override policy(default/bad)'],
  ])('FED-7: its policy is named: %s', (namespace, reference, text) => {
    const policies = [policy('ok', {}, namespace), policy('bad', { ...named, ...failing }, namespace)];
    const apply = () => applyOverrides(marked, m1, namespace ? [] : policies, namespace ? policies : []);
    expect(apply).toThrow(OverrideError);
    expect(apply).toThrow(
      expect.objectContaining({
        policy: reference,
        cluster: 'm1',
        message: `Apply ${text} for cluster(m1) failed: the path "/none/x" does not exist`,
      }),
    );
  });
});

it('FED-7: arguments stay as they are', () => {
  const freeze = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  const before = freeze({ ...structuredClone(marked), data: { text: '{"a":[1]}', yaml: 'a: [1]' } });
  const patch = [{ subPath: '/a/0', operator: 'replace', value: 2 } as const];
  const overriders: OverrideRule['overriders'] = {
    labelsOverrider: [{ operator: 'add', value: { a: 'b' } }],
    fieldOverrider: [
      { fieldPath: '/data/text', json: patch },
      { fieldPath: '/data/yaml', yaml: patch },
    ],
    plaintext: [{ path: '/spec/replicas', operator: 'remove' }],
  };
  const policies = freeze([policy('b', { overrideRules: [{ overriders }] }), policy('a')]);
  const { manifest: after } = applyOverrides(before, freeze(m1), policies, []);
  expect(after).toMatchObject({ marks: ['a'], spec: {}, data: { text: '{"a":[2]}', yaml: 'a:\n- 2\n' } });
});
