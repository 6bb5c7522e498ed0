import { describe, expect, it } from 'vitest';
import { type ClusterAffinity, matcherOf, type SelectedCluster } from './cluster-affinity.ts';

const cluster = (name: string, more: Partial<SelectedCluster> = {}): SelectedCluster => ({
  name,
  labels: new Map(),
  zones: [],
  ...more,
});

const clusters = [
  cluster('m1', { labels: new Map([['tier', 'gold']]), provider: 'aws', region: 'eu', zones: ['a'] }),
  cluster('m2', { labels: new Map([['tier', 'tin']]), provider: 'gcp', region: 'eu', zones: ['a', 'b'] }),
  cluster('m3'),
];

const selected = (affinity: ClusterAffinity | undefined) =>
  clusters.filter(matcherOf(affinity)).map(({ name }) => name);

const label = (operator: string, values?: string[]): ClusterAffinity => ({
  labelSelector: { matchExpressions: [{ key: 'tier', operator, ...(values ? { values } : {}) }] },
});
const field = (key: string, operator: string, values: string[]): ClusterAffinity => ({
  fieldSelector: { matchExpressions: [{ key, operator, values }] },
});

describe('CACHE-1: spec.targetCluster', () => {
  it.each<[string, ClusterAffinity | undefined, string[]]>([
    ['nothing', undefined, ['m1', 'm2', 'm3']],
    ['empty', { clusterNames: [], exclude: null, labelSelector: {}, fieldSelector: null }, ['m1', 'm2', 'm3']],
    ['names', { clusterNames: ['m3', 'm1', 'other'] }, ['m1', 'm3']],
    ['exclude', { exclude: ['m2'] }, ['m1', 'm3']],
    ['exclude before names', { clusterNames: ['m1', 'm2'], exclude: ['m2'] }, ['m1']],
    ['labels', { labelSelector: { matchLabels: { tier: 'gold' } } }, ['m1']],
    ['In', label('In', ['tin', 'gold']), ['m1', 'm2']],
    ['NotIn, which what has no such label meets', label('NotIn', ['tin']), ['m1', 'm3']],
    ['Exists', label('Exists'), ['m1', 'm2']],
    ['DoesNotExist', label('DoesNotExist'), ['m3']],
    ['an operator that nobody knows', label('Like', ['gold']), []],
    ['provider', field('provider', 'In', ['aws']), ['m1']],
    ['region', field('region', 'NotIn', ['eu']), ['m3']],
    ['zone: all of them', field('zone', 'In', ['a']), ['m1']],
    ['zone: none of them', field('zone', 'NotIn', ['b']), ['m1', 'm3']],
    ['another field', field('name', 'In', ['m1']), []],
    ['all of it', { ...label('Exists'), clusterNames: ['m2', 'm3'] }, ['m2']],
    ['like a prototype', { labelSelector: { matchLabels: { constructor: 'Object' } } }, []],
  ])('%s', (_, affinity, names) => expect(selected(affinity)).toEqual(names));
});
