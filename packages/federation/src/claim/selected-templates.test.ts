import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import type { PropagationPolicy, ResourceSelector } from '../api/policies.ts';
import type { ObjectName } from '../kinds/kinds.ts';
import { selectedTemplates } from './selected-templates.ts';

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const template = (namespace: string, name: string): AnyObject => ({ ...configMap, metadata: { namespace, name } });
const all = [template('shop', 'a'), template('shop', 'b'), template('bank', 'a')];
const templates = {
  get: ({ namespace, name }: ObjectName) =>
    all.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
  ofKind: ({ kind }: { kind: string }) => all.filter((one) => one.kind === kind),
};

const policy = (selector: Partial<ResourceSelector>, namespace?: string): PropagationPolicy => ({
  metadata: { name: 'p', ...(namespace ? { namespace } : {}) },
  spec: { resourceSelectors: [{ ...configMap, ...selector }], placement: {} },
});
const selected = (selector: Partial<ResourceSelector>, namespace?: string): string[] =>
  [...selectedTemplates(templates, policy(selector, namespace))].map(
    ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
  );

describe('FED-3: a changed policy is a reason to look at', () => {
  it.each([
    ['one template of its namespace', { name: 'a' }, 'shop', ['shop/a']],
    ['none, where there is none of the name', { name: 'c' }, 'shop', []],
    ['all of its namespace', {}, 'shop', ['shop/a', 'shop/b']],
    ['all of its namespace, whatever their labels', { labelSelector: {} }, 'shop', ['shop/a', 'shop/b']],
    ['none of another namespace', { namespace: 'bank' }, 'shop', []],
    ['those of a name in all namespaces, of a cluster policy', { name: 'a' }, undefined, ['shop/a', 'bank/a']],
    ['those of one namespace, of a cluster policy', { namespace: 'bank' }, undefined, ['bank/a']],
    ['all, of a cluster policy', {}, undefined, ['shop/a', 'shop/b', 'bank/a']],
    ['none of another kind', { kind: 'Secret' }, 'shop', []],
  ])('%s', (_what, selector, namespace, expected) => {
    expect(selected(selector, namespace)).toEqual(expected);
  });
});
