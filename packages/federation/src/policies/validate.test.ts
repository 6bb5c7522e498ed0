import { existsSync, globSync, readFileSync } from 'node:fs';
import { jsonOfYaml } from '@fleet/kube/yaml-json.ts';
import { describe, expect, it } from 'vitest';
import { karmadaFolder } from '../../../../test/bed/src/federation-manifests.ts';
import type { OverridePolicy, OverrideSpec, Placement, PropagationPolicy, PropagationSpec } from '../api/policies.ts';
import { withDefaults } from './defaults.ts';
import type { Fault } from './fault.ts';
import { overridePolicyFaults, policyFaults } from './validate.ts';

const deployments = { apiVersion: 'apps/v1', kind: 'Deployment' };
const policy = (spec: Partial<PropagationSpec>, metadata: object = {}): PropagationPolicy => ({
  metadata: { name: 'p', namespace: 'shop', ...metadata },
  spec: { resourceSelectors: [deployments], ...spec },
});
const text = ({ reason, field, message }: Fault) => `${reason} ${field}: ${message}`;
const fields = (key: string, operator: string) => ({
  fieldSelector: { matchExpressions: [{ key, operator, values: ['x'] }] },
});

describe('a policy', () => {
  it.each<[string, Partial<PropagationSpec>]>([
    ['nothing more', {}],
    ['a selector of its namespace', { resourceSelectors: [{ ...deployments, namespace: 'shop' }] }],
    ['each suspension', { suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: [] } } }],
    ['no suspension', { suspension: { dispatching: false, dispatchingOnClusters: { clusterNames: ['m1'] } } }],
    ['preemption with names', { preemption: 'Always', resourceSelectors: [{ ...deployments, name: 'a' }] }],
    ['failover with dependencies', { failover: { application: {} }, propagateDeps: true }],
    ['failover of clusters', { failover: { cluster: {} } }],
  ])('FED-2: is accepted with %s', (_what, spec) => {
    expect(policyFaults(policy(spec))).toEqual([]);
    expect(policyFaults(withDefaults(policy(spec)))).toEqual([]);
  });

  it('FED-2: of the cluster is accepted with any namespace', () => {
    const resourceSelectors = [{ ...deployments, namespace: 'bank' }];
    expect(policyFaults({ metadata: { name: 'c' }, spec: { resourceSelectors } })).toEqual([]);
  });

  it.each<[string, Partial<PropagationSpec>, string]>([
    [
      'a selector of another namespace',
      { resourceSelectors: [deployments, { ...deployments, namespace: 'bank' }] },
      'FieldValueInvalid spec.resourceSelectors[1].namespace: Invalid value: "bank": must be the policy\'s, shop',
    ],
    [
      'both suspensions',
      { suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: ['m1'] } } },
      'FieldValueInvalid spec.suspension: Invalid value: dispatching and dispatchingOnClusters cannot both be set',
    ],
    [
      'preemption of what has no name',
      { preemption: 'Always' },
      'FieldValueInvalid spec: Invalid value: with preemption Always every resource selector needs a name',
    ],
    [
      'application failover without dependencies',
      { failover: { application: {} } },
      'FieldValueInvalid spec: Invalid value: failover.application needs propagateDeps',
    ],
  ])('FED-2: is refused with %s', (_what, spec, expected) => {
    expect(policyFaults(policy(spec)).map(text)).toEqual([expected]);
  });
});

describe('a placement', () => {
  const cluster = { spreadByField: 'cluster' } as const;
  const region = { spreadByField: 'region' } as const;
  it.each<[string, Placement]>([
    ['an empty affinity', { clusterAffinity: {} }],
    ['fields', { clusterAffinity: fields('zone', 'NotIn') }],
    ['terms', { clusterAffinities: [{ affinityName: 'a' }, { affinityName: 'example.com/B_1' }] }],
    ['region and cluster', { spreadConstraints: [region, cluster] }],
    ['a constraint without a field', { spreadConstraints: [region, { maxGroups: 2 }] }],
    ['no limit', { spreadConstraints: [{ ...cluster, minGroups: 3, maxGroups: 0 }] }],
    ['minGroups 0', { spreadConstraints: [{ ...cluster, minGroups: 0, maxGroups: 1 }] }],
    ['only labels', { spreadConstraints: [{ spreadByLabel: 'rack' }, { spreadByLabel: 'row' }] }],
    [
      'weights by other fields, as in Karmada',
      {
        replicaScheduling: {
          weightPreference: { staticWeightList: [{ targetCluster: fields('x', 'Exists'), weight: 1 }] },
        },
      },
    ],
  ])('FED-2: is accepted with %s', (_what, placement) => {
    expect(policyFaults(policy({ placement }))).toEqual([]);
  });

  const at = 'spec.placement';
  it.each<[string, Placement, string[]]>([
    [
      'both affinities',
      { clusterAffinity: {}, clusterAffinities: [] },
      [`FieldValueInvalid ${at}: Invalid value: clusterAffinity and clusterAffinities cannot both be set`],
    ],
    [
      'another field and operator',
      { clusterAffinity: fields('country', 'Exists') },
      [
        `FieldValueNotSupported ${at}.clusterAffinity.fieldSelector.matchExpressions[0].key: Unsupported value: "country": supported values: "provider", "region", "zone"`,
        `FieldValueNotSupported ${at}.clusterAffinity.fieldSelector.matchExpressions[0].operator: Unsupported value: "Exists": supported values: "In", "NotIn"`,
      ],
    ],
    [
      'another field in a term',
      { clusterAffinities: [{ affinityName: 'a' }, { affinityName: 'b', ...fields('country', 'In') }] },
      [
        `FieldValueNotSupported ${at}.clusterAffinities[1].fieldSelector.matchExpressions[0].key: Unsupported value: "country": supported values: "provider", "region", "zone"`,
      ],
    ],
    [
      'terms of one name',
      { clusterAffinities: [{ affinityName: 'a' }, { affinityName: 'a' }] },
      [`FieldValueInvalid ${at}.clusterAffinities: Invalid value: affinity names must be unique`],
    ],
    [
      'a name that is none',
      { clusterAffinities: [{ affinityName: 'a b' }] },
      [`FieldValueInvalid ${at}.clusterAffinities[0].affinityName: Invalid value: "a b": must be a qualified name`],
    ],
    ...(['region', 'zone', 'provider'] as const).map((spreadByField): [string, Placement, string[]] => [
      `${spreadByField} without cluster`,
      { spreadConstraints: [{ spreadByField }, { spreadByLabel: 'rack' }] },
      [
        `FieldValueInvalid ${at}.spreadConstraints: Invalid value: constraints by region, zone or provider need one by cluster`,
      ],
    ]),
    [
      'two of one field, one by default',
      { spreadConstraints: [cluster, {}] },
      [`FieldValueInvalid ${at}.spreadConstraints: Invalid value: two constraints of one field`],
    ],
    [
      'maxGroups below minGroups',
      { spreadConstraints: [{ ...cluster, minGroups: 3, maxGroups: 2 }] },
      [`FieldValueInvalid ${at}.spreadConstraints[0]: Invalid value: maxGroups cannot be below minGroups`],
    ],
    [
      'less than none',
      { spreadConstraints: [{ ...cluster, minGroups: -1, maxGroups: -2 }] },
      [
        `FieldValueInvalid ${at}.spreadConstraints[0].minGroups: Invalid value: -1: should be greater than or equal to 0`,
        `FieldValueInvalid ${at}.spreadConstraints[0].maxGroups: Invalid value: -2: should be greater than or equal to 0`,
      ],
    ],
    [
      'a field and a label',
      { spreadConstraints: [{ ...cluster, spreadByLabel: 'rack' }] },
      [
        `FieldValueInvalid ${at}.spreadConstraints[0]: Invalid value: spreadByField and spreadByLabel cannot both be set`,
      ],
    ],
  ])('FED-2: is refused with %s', (_what, placement, expected) => {
    expect(policyFaults(policy({ placement })).map(text)).toEqual(expected);
  });
});

describe('a change of a policy', () => {
  const id = 'propagationpolicy.karmada.io/permanent-id';
  const marked = (value?: string) => policy({}, { labels: value === undefined ? {} : { [id]: value } });
  it.each<[string, PropagationPolicy, PropagationPolicy, string[]]>([
    ['nothing', marked('1'), marked('1'), []],
    ['the first permanent id', marked(), marked('1'), []],
    ['an empty permanent id', marked(''), marked('1'), []],
    [
      'another permanent id',
      marked('1'),
      marked('2'),
      [`FieldValueInvalid metadata.labels[${id}]: Invalid value: "2": field is immutable`],
    ],
    [
      'no permanent id any more',
      marked('1'),
      marked(),
      [`FieldValueInvalid metadata.labels[${id}]: Invalid value: "": field is immutable`],
    ],
    ['the scheduler by default', policy({}), policy({ schedulerName: 'default-scheduler' }), []],
    [
      'the scheduler',
      policy({}),
      policy({ schedulerName: 'mine' }),
      ['FieldValueInvalid spec.schedulerName: Invalid value: "mine": field is immutable'],
    ],
  ])('FED-2: %s', (_what, old, now, expected) => {
    expect(policyFaults(now, old).map(text)).toEqual(expected);
  });
});

describe('a policy that was stored with a fault', () => {
  const resourceSelectors = [{ ...deployments, namespace: 'bank' }];
  const metadata = { name: 'p', namespace: 'shop' };
  const bare = { metadata, spec: { resourceSelectors } };
  const finalized = {
    metadata: { ...metadata, finalizers: ['a'] },
    spec: { resourceSelectors: [...resourceSelectors] },
  };

  it('FED-9: can be released, as its spec does not change', () => {
    expect(policyFaults(bare, finalized)).toEqual([]);
    expect(overridePolicyFaults(bare, finalized)).toEqual([]);
  });

  it('FED-2: cannot be changed otherwise', () => {
    const changed = { ...bare, spec: { resourceSelectors: [...resourceSelectors, deployments] } };
    expect(policyFaults(changed, finalized)).toHaveLength(1);
    expect(overridePolicyFaults(changed, finalized)).toHaveLength(1);
  });
});

describe('an override policy', () => {
  const override = (spec: OverrideSpec): OverridePolicy => ({ metadata: { name: 'o', namespace: 'shop' }, spec });
  const overriders = { plaintext: [{ path: '/a', operator: 'add', value: 1 }] } as const satisfies object;
  const rule = (one: object): OverrideSpec => ({ overrideRules: [{ overriders: one }] });
  const at = 'spec.overrideRules[0].overriders';
  it.each<[string, OverrideSpec, string[]]>([
    ['nothing', {}, []],
    ['a namespace of its own', { resourceSelectors: [{ ...deployments, namespace: 'shop' }] }, []],
    [
      'another namespace',
      { resourceSelectors: [{ ...deployments, namespace: 'bank' }] },
      ['spec.resourceSelectors[0].namespace'],
    ],
    ['the first form', { targetCluster: {}, overriders: { plaintext: [...overriders.plaintext] } }, []],
    [
      'both forms',
      { overrideRules: [], targetCluster: {}, overriders: { plaintext: [...overriders.plaintext] } },
      ['spec', 'spec'],
    ],
    ['rules beside empty overriders', { overrideRules: [], overriders: { plaintext: [] } }, []],
    [
      'another field',
      { targetCluster: fields('x', 'In') },
      ['spec.targetCluster.fieldSelector.matchExpressions[0].key'],
    ],
    [
      'another field in a rule',
      { overrideRules: [{ targetCluster: fields('zone', 'Gt'), overriders: {} }] },
      ['spec.overrideRules[0].targetCluster.fieldSelector.matchExpressions[0].operator'],
    ],
    ['a path', rule({ imageOverrider: [{ predicate: { path: 'spec' } }] }), [`${at}.imageOverrider[0].predicate.path`]],
    [
      'labels',
      rule({ labelsOverrider: [{ operator: 'add', value: { 'a b': 'c', d: 'e f' } }] }),
      [`${at}.labelsOverrider[0].value`, `${at}.labelsOverrider[0].value`],
    ],
    [
      'annotations',
      rule({ annotationsOverrider: [{ operator: 'add', value: { 'Example.com/a': 'b c', 'd e': '' } }] }),
      [`${at}.annotationsOverrider[0].value`],
    ],
    [
      'a field',
      rule({
        fieldOverrider: [
          {
            fieldPath: 'x',
            json: [{ subPath: 'y', operator: 'add' }],
            yaml: [{ subPath: '', operator: 'remove', value: null }],
          },
        ],
      }),
      [
        `${at}.fieldOverrider[0]`,
        `${at}.fieldOverrider[0].fieldPath`,
        `${at}.fieldOverrider[0].json[0].subPath`,
        `${at}.fieldOverrider[0].json[0].value`,
        `${at}.fieldOverrider[0].yaml[0].value`,
      ],
    ],
    [
      'a field that is whole',
      rule({ fieldOverrider: [{ fieldPath: '/x', json: [{ subPath: '/y', operator: 'replace', value: 0 }] }] }),
      [],
    ],
  ])('FED-2: %s', (_what, spec, expected) => {
    expect(overridePolicyFaults(override(spec)).map(({ field }) => field)).toEqual(expected);
  });
});

const karmada = await karmadaFolder().catch(() => '');
const samples = globSync(`${karmada}/samples/*/*policy.yaml`);

describe.skipIf(!existsSync(`${karmada}/samples`))('Karmada’s samples', () => {
  it('FED-1: are these', () => expect(samples).toHaveLength(5));

  it.each(samples)('FED-1: %s is accepted', (file) => {
    const sample = JSON.parse(jsonOfYaml(readFileSync(file, 'utf8')).toString()) as { kind: string };
    const namespace = sample.kind.startsWith('Cluster') ? {} : { namespace: 'default' };
    const given = sample as unknown as PropagationPolicy & OverridePolicy;
    const inPlace = { ...given, metadata: { ...given.metadata, ...namespace } };
    const isOverride = sample.kind.endsWith('OverridePolicy');
    expect(isOverride ? overridePolicyFaults(inPlace) : policyFaults(withDefaults(inPlace))).toEqual([]);
  });
});
