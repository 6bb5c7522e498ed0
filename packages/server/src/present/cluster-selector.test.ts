import { describe, expect, it } from 'vitest';
import { selectorForm, withClusterSelector } from './cluster-selector.ts';

const change = (object: unknown, form: 'labels' | 'matchLabels', space?: number) =>
  JSON.parse(withClusterSelector(Buffer.from(JSON.stringify(object, null, space)), 'm1', form).toString());

describe('NAME-11: the cluster in a workload’s selector', () => {
  it.each([
    ['matchLabels', { matchLabels: { app: 'x' } }, { matchLabels: { clusterspace: 'm1', app: 'x' } }],
    ['matchLabels', { matchLabels: {} }, { matchLabels: { clusterspace: 'm1' } }],
    ['matchLabels', { matchExpressions: [] }, { matchLabels: { clusterspace: 'm1' }, matchExpressions: [] }],
    ['matchLabels', {}, { matchLabels: { clusterspace: 'm1' } }],
    ['labels', { app: 'x' }, { clusterspace: 'm1', app: 'x' }],
  ] as const)('%s %j', (form, selector, expected) => {
    const template = { spec: { selector: { app: 'not me' } } };
    for (const space of [0, 2]) {
      expect(change({ kind: 'K', spec: { template, selector } }, form, space)).toEqual({
        kind: 'K',
        spec: { template, selector: expected },
      });
    }
  });

  it('leaves what selects nothing as it is', () => {
    for (const object of [{ spec: { type: 'ExternalName' } }, { kind: 'K' }, { spec: { selector: null } }]) {
      expect(change(object, 'labels')).toEqual(object);
    }
  });

  it('knows the kinds that kubectl finds pods by', () => {
    expect(selectorForm('apps', 'deployments')).toBe('matchLabels');
    expect(selectorForm('', 'services')).toBe('labels');
    expect(selectorForm('example.fleet', 'deployments')).toBeUndefined();
  });
});
