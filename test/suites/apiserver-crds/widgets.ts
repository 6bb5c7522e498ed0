/** A definition that has most of what a schema can have. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import { definition } from './definitions.ts';

export const text: JsonObject = { type: 'string' };
const spec: JsonObject = {
  type: 'object',
  required: ['color'],
  properties: {
    color: { type: 'string', enum: ['red', 'blue', 'green'] },
    size: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
    replicas: { type: 'integer', format: 'int32', default: 1 },
    ratio: { type: 'number', multipleOf: 0.5 },
    name: { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' },
    on: { type: 'boolean' },
    when: { type: 'string', format: 'date-time' },
    port: { 'x-kubernetes-int-or-string': true },
    nothing: { type: 'string', nullable: true },
    tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set', maxItems: 3 },
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['key'],
      items: {
        type: 'object',
        required: ['key'],
        properties: { key: text, value: { type: 'string', default: 'none' }, count: { type: 'integer' } },
      },
    },
    labels: { type: 'object', additionalProperties: text, maxProperties: 2 },
    atom: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    pod: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    either: { type: 'object', properties: { a: text, b: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  },
  'x-kubernetes-validations': [
    { rule: 'self.size <= 5 || self.color == "red"', message: 'only red ones are large' },
    { rule: '!has(oldSelf.name) || self.?name.orValue("") == oldSelf.name', message: 'the name stays' },
  ],
};
const status: JsonObject = {
  type: 'object',
  properties: { replicas: { type: 'integer' }, selector: text, phase: { type: 'string', enum: ['Good', 'Bad'] } },
};

export const widgets: JsonObject = definition(
  { plural: 'widgets', kind: 'Widget' },
  { type: 'object', required: ['spec'], properties: { spec, status } },
  { names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['all'] } },
  {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
    additionalPrinterColumns: [
      { name: 'Color', type: 'string', jsonPath: '.spec.color', description: 'of the widget' },
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Ratio', type: 'number', jsonPath: '.spec.ratio', priority: 1 },
      { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
      { name: 'First', type: 'string', jsonPath: '.spec.items[0].value' },
      { name: 'Chosen', type: 'string', jsonPath: '.spec.items[?(@.key=="b")].value' },
      { name: 'Tags', type: 'string', jsonPath: '.spec.tags' },
      { name: 'Labels', type: 'string', jsonPath: ".spec.labels['a.b']" },
      { name: 'Nothing', type: 'integer', jsonPath: '.spec.color' },
    ],
    selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }],
  },
);
