import { describe, expect, it } from 'vitest';
import { textOf } from '../../errors/field-error.ts';
import type { Schema } from '../../schema/open-api.ts';
import { setDefaults } from '../defaults.ts';
import type { Definition, Version } from '../definition.ts';
import { definitionErrors, nameFaults } from './definition-rules.ts';

const definition = (schema: Schema, version: Partial<Version> = {}, spec: object = {}): Definition => {
  const made = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'trials.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'trials', kind: 'Trial' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
      ...spec,
    },
  };
  setDefaults(made);
  return made;
};
const x = (schema: Schema) => definition({ type: 'object', properties: { x: schema } });
const at = 'spec.validation.openAPIV3Schema.properties[x]';

describe('definitions', () => {
  it('have defaults', () => {
    expect(definition({ type: 'object' })).toMatchObject({
      spec: { names: { singular: 'trial', listKind: 'TrialList' }, conversion: { strategy: 'None' } },
      status: { storedVersions: ['v1'] },
    });
  });

  it.each<[string, Definition]>([
    ['[]', definition({ type: 'object' })],
    ['spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root', definition({})],
    [`${at}.type: Required value: must not be empty for specified object fields`, x({})],
    [`${at}.items: Required value: must be specified`, x({ type: 'array' })],
    [
      `${at}.pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
      x({ type: 'string', pattern: '(' }),
    ],
    [
      `${at}.default: Invalid value: {"b":1}: must not have unknown fields`,
      x({ type: 'object', properties: { a: { type: 'string' } }, default: { b: 1 } }),
    ],
    [
      `${at}.anyOf[0].type: Forbidden: must be empty to be structural`,
      x({ type: 'string', anyOf: [{ type: 'string' }] }),
    ],
    [
      'spec.validation.openAPIV3Schema.properties[a]: Required value: because it is defined in spec.validation.openAPIV3Schema.anyOf[0].properties[a]',
      definition({ type: 'object', anyOf: [{ properties: { a: { minLength: 1 } } }] }),
    ],
    [
      `${at}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
      x({
        type: 'array',
        items: { type: 'object', properties: { k: { type: 'string' } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      }),
    ],
    [
      'spec.selectableFields[0].jsonPath: Invalid value: ".a": is an invalid path: does not refer to a valid field',
      definition({ type: 'object', properties: {} }, { selectableFields: [{ jsonPath: '.a' }] }),
    ],
    [
      'spec.additionalPrinterColumns[0].type: Invalid value: "odd": must be one of boolean,date,integer,number,string',
      definition({ type: 'object' }, { additionalPrinterColumns: [{ name: 'a', type: 'odd', jsonPath: '.a' }] }),
    ],
    [
      'spec.scope: Unsupported value: "Odd": supported values: "Cluster", "Namespaced"',
      definition({ type: 'object' }, {}, { scope: 'Odd' }),
    ],
    [
      'spec.group: Invalid value: "dotless": should be a domain with at least one dot',
      definition({ type: 'object' }, {}, { group: 'dotless' }),
    ],
  ])('reports: %s', (message, given) => {
    expect(textOf(definitionErrors(given))).toBe(message);
  });

  it('check the types of their rules', () => {
    const ruled = x({ type: 'integer', 'x-kubernetes-validations': [{ rule: "self == 'a'" }] });
    expect(definitionErrors(ruled)).toMatchObject([
      {
        field: `${at}.x-kubernetes-validations[0].rule`,
        detail: expect.stringContaining("found no matching overload for '_==_' applied to '(int, string)'"),
      },
    ]);
  });

  it('refuse rules that may cost too much', () => {
    const rule = { rule: 'self.all(a, self.all(b, a == b))' };
    const ruled = x({ type: 'array', items: { type: 'string' }, 'x-kubernetes-validations': [rule] });
    expect(textOf(definitionErrors(ruled))).toContain('estimated rule cost exceeds budget by factor of more than 100x');
    const small: Schema = { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 5 } };
    expect(definitionErrors(x({ ...small, 'x-kubernetes-validations': [rule] }))).toEqual([]);
  });

  it('keep what they were', () => {
    const old = definition({ type: 'object' });
    old.status = {
      conditions: [{ type: 'Established', status: 'True', lastTransitionTime: '', reason: '', message: '' }],
      storedVersions: ['v1'],
    };
    const next = { ...definition({ type: 'object' }, {}, { scope: 'Cluster' }), status: old.status };
    expect(textOf(definitionErrors(next, old))).toBe('spec.scope: Invalid value: "Cluster": field is immutable');
  });

  it('are called by what they define', () => {
    expect(nameFaults(definition({ type: 'object' }), 'other')).toEqual(['must be spec.names.plural+"."+spec.group']);
  });
});
