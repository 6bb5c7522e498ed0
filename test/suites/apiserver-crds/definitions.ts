/** Definitions that are right and wrong, for both servers. */

import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import { ruleCases, transitionCases, wrongRules } from './rules.ts';

export interface Names {
  plural: string;
  kind: string;
}

export const group = 'crds.example.com';

/** One version, with a schema of its own. */
export const definition = (
  { plural, kind }: Names,
  schema: JsonValue,
  more: JsonObject = {},
  version: JsonObject = {},
): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, kind },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
    ...more,
  },
});

const names: Names = { plural: 'trials', kind: 'Trial' };
const any: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const spec = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more } },
});
const x = (schema: JsonObject): JsonObject => definition(names, spec({ x: schema }));
const of = (schema: JsonValue): JsonObject => definition(names, schema);
const version = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: any },
  ...more,
});
const versions = (...all: JsonObject[]): JsonObject => definition(names, any, { versions: all });
const columns = (...all: JsonObject[]): JsonObject => definition(names, any, {}, { additionalPrinterColumns: all });
const column = { name: 'C', type: 'string', jsonPath: '.spec.c' };
const subresources = (given: JsonObject): JsonObject => definition(names, any, {}, { subresources: given });
const selectable = (...paths: string[]): JsonObject =>
  definition(
    names,
    spec({ a: { type: 'string' }, o: { type: 'object', properties: { b: { type: 'integer' } } } }),
    {},
    {
      selectableFields: paths.map((jsonPath) => ({ jsonPath })),
    },
  );
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const list = (items: JsonObject, more: JsonObject): JsonObject => x({ type: 'array', items, ...more });

export const definitionCases: readonly JsonObject[] = [
  of(any),
  of(undefined as never),
  of({}),
  of({ type: 'string' }),
  of({ type: 'object', nullable: true }),
  of({ type: 'object', additionalProperties: { type: 'string' } }),
  of({ type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } }),
  of({ type: 'object', properties: { metadata: { type: 'string' }, kind: { type: 'integer' } } }),
  of({
    type: 'object',
    properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } },
  }),
  of({ type: 'object', properties: { spec: {} } }),
  x({}),
  x({ type: 'odd' }),
  x({ type: 'null' }),
  x({ type: 'array' }),
  x({ type: 'array', items: {} }),
  x({ type: 'string', pattern: '(' }),
  x({ type: 'string', pattern: '^(?=a)' }),
  x({ type: 'string', uniqueItems: true }),
  x({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } }),
  x({ type: 'object', additionalProperties: {} }),
  x({ type: 'string', default: 5 }),
  x({ type: 'string', default: 'a', enum: ['b'] }),
  x({ type: 'object', default: { a: 1 }, properties: { b: { type: 'string' } } }),
  x({ type: 'object', default: { b: 1 }, properties: { b: { type: 'string' } } }),
  x({ type: 'object', properties: { b: { type: 'integer', default: 1 } }, default: {} }),
  x({ type: 'string', $ref: '#/definitions/a' }),
  x({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
  x({ 'x-kubernetes-int-or-string': true }),
  x({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
  x({ 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true }),
  x({ 'x-kubernetes-embedded-resource': true }),
  x({ type: 'object', 'x-kubernetes-embedded-resource': true }),
  x({ type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
  x({ type: 'string', 'x-kubernetes-map-type': 'atomic' }),
  x({ type: 'object', 'x-kubernetes-map-type': 'odd' }),
  x({ type: 'object', 'x-kubernetes-list-type': 'set' }),
  x({ 'x-kubernetes-list-type': 'set', 'x-kubernetes-preserve-unknown-fields': true }),
  list({ type: 'string' }, { 'x-kubernetes-list-type': 'set' }),
  list({ type: 'string' }, { 'x-kubernetes-list-type': 'odd' }),
  list({ type: 'string', nullable: true }, { 'x-kubernetes-list-type': 'set' }),
  list({ type: 'object' }, { 'x-kubernetes-list-type': 'set' }),
  list(
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    { 'x-kubernetes-list-type': 'set' },
  ),
  list({ type: 'string' }, { 'x-kubernetes-list-type': 'map' }),
  list({ type: 'object' }, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] }),
  list(
    { type: 'object', properties: { a: { type: 'string' } } },
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
  ),
  list(
    { type: 'object', required: ['a'], properties: { a: { type: 'string', nullable: true } } },
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a', 'a'] },
  ),
  list(
    { type: 'object', required: ['a'], properties: { a: { type: 'object' } } },
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
  ),
  list(
    { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
  ),
  list({ type: 'object' }, { 'x-kubernetes-list-map-keys': ['a'] }),
  x({ type: 'string', anyOf: [{ type: 'string' }, { minLength: 1 }] }),
  x({ type: 'object', anyOf: [{ properties: { a: { minLength: 1 } } }] }),
  x({
    type: 'object',
    properties: { a: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { properties: { a: { pattern: '[' } } }],
  }),
  x({ type: 'object', not: { description: 'x', default: 1, nullable: true } }),
  x({ type: 'object', allOf: [{ properties: { metadata: {} } }] }),
  definition(names, { ...any, maxProperties: 5 }, {}, { subresources: { status: {} } }),
  definition(names, { ...any, maxProperties: 5 }),
  definition({ plural: 'Trials', kind: 'Trial' }, any),
  definition({ plural: 'trials', kind: '1Trial' }, any),
  definition({ plural: '', kind: '' }, any),
  definition(names, any, {
    names: {
      plural: 'trials',
      kind: 'Trial',
      listKind: 'Trial',
      shortNames: ['A'],
      categories: ['all', 'X'],
      singular: 'Y',
    },
  }),
  definition(names, any, { scope: 'Odd' }),
  definition(names, any, { scope: '' }),
  definition(names, any, { group: '' }),
  definition(names, any, { group: 'dotless' }),
  definition(names, any, { group: 'UPPER.example.com' }),
  definition(names, any, { group: 'x.k8s.io' }),
  definition(names, any, { preserveUnknownFields: true }),
  { ...definition(names, any), metadata: { name: 'other' } },
  { ...definition(names, any), metadata: { name: `trials.${group}`, labels: { 'a b': 'c' } } },
  versions(),
  versions(version('v1')),
  versions(version('v1', { storage: true }), version('v2', { storage: true })),
  versions(version('v1', { storage: true }), version('v1')),
  versions(version('v1', { storage: true }), version('V2')),
  versions(
    version('v1', { storage: true }),
    version('v2', { schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } } }),
  ),
  versions(version('v1', { storage: true, deprecationWarning: 'old' })),
  versions(version('v1', { storage: true, deprecated: true, deprecationWarning: '' })),
  versions(version('v1', { storage: true, deprecated: true, deprecationWarning: 'a\u0007' })),
  columns(column),
  columns({ ...column, type: 'odd' }, { ...column, format: 'odd' }, { ...column, jsonPath: 'spec' }),
  columns({ name: '', type: '', jsonPath: '' }),
  subresources({ status: {}, scale }),
  subresources({ scale: { specReplicasPath: '', statusReplicasPath: '' } }),
  subresources({ scale: { specReplicasPath: '.a.b', statusReplicasPath: 'status', labelSelectorPath: '.x' } }),
  selectable('.spec.a', '.spec.o.b'),
  selectable('', 'a', '.spec', '.spec.o', '.spec.nothing', '.metadata.name', '.spec.a', '.spec.a'),
  definition(names, any, { conversion: { strategy: 'Odd' } }),
  definition(names, any, { conversion: { strategy: 'Webhook' } }),
  definition(names, any, { conversion: { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } } }),
  definition(names, any, {
    conversion: { strategy: 'Webhook', webhook: { clientConfig: {}, conversionReviewVersions: ['v9', 'v9', 'V'] } },
  }),
  list({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] }, { maxItems: 5 }),
  x({ type: 'string', default: 'a', maxLength: 5, 'x-kubernetes-validations': [{ rule: "self == 'b'" }] }),
  x({
    type: 'object',
    properties: { a: { type: 'string' } },
    default: { a: 'x' },
    'x-kubernetes-validations': [{ rule: "self.a == 'b'" }],
  }),
  ...wrongRules.map(([schema, rule]) => x({ ...schema, 'x-kubernetes-validations': [rule] })),
];

/** All rules in one definition: a field each. */
const ruleFields = (cases: typeof ruleCases, prefix: string): JsonObject =>
  Object.fromEntries(
    cases.map(({ schema, rule, more }, index) => [
      `${prefix}${index}`,
      { ...schema, 'x-kubernetes-validations': [{ rule, ...more }] },
    ]),
  );

export const ruledNames: Names = { plural: 'ruleds', kind: 'Ruled' };
export const ruled = definition(
  ruledNames,
  spec({ ...ruleFields(ruleCases, 'r'), ...ruleFields(transitionCases, 't') }),
);
