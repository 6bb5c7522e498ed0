/** Requests about custom resources: every verb, every form, right and wrong. */

import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import { definition, group } from './definitions.ts';
import { definitionsPath, type Step } from './side.ts';
import { text } from './widgets.ts';

export const path = `/apis/${group}/v1/namespaces/default/widgets`;
const one = `${path}/a`;
const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

const widget = (name: string, given: JsonValue, more: JsonObject = {}): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name },
  spec: given,
  ...more,
});
const post = (body: JsonValue, query: Record<string, string> = {}): Step => ({ method: 'POST', path, body, query });
const tried = (given: JsonValue): Step => post(widget('trial', given), { dryRun: 'All' });
const get = (at: string, query: Record<string, string> = {}, accept = 'application/json'): Step => ({
  method: 'GET',
  path: at,
  query,
  headers: { accept },
});
const put = (at: string, body: JsonObject): Step => ({ method: 'PUT', path: at, body, headers: { 'x-current': '1' } });
const patch = (type: keyof typeof types, body: JsonValue, at = one, query: Record<string, string> = {}): Step => ({
  method: 'PATCH',
  path: at,
  body,
  query,
  headers: { 'content-type': types[type] },
});
const apply = (manager: string, given: JsonObject, query: Record<string, string> = {}, at = `${path}/applied`): Step =>
  patch('apply', widget('applied', given), at, { fieldManager: manager, ...query });

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const partials = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** Specs that are refused, or completed. */
const specs: readonly JsonValue[] = [
  {},
  { color: 'pink' },
  { color: 5 },
  { color: null },
  { color: 'red', size: 0 },
  { color: 'red', size: 11 },
  { color: 'red', size: 1.5 },
  { color: 'red', size: '1' },
  { color: 'red', size: null },
  { color: 'red', replicas: 2 ** 31 },
  { color: 'red', ratio: 0.3 },
  { color: 'red', ratio: 1 },
  { color: 'red', name: 'a' },
  { color: 'red', name: 'abcdef' },
  { color: 'red', name: 'AB' },
  { color: 'red', on: 'yes' },
  { color: 'red', when: 'now' },
  { color: 'red', when: '2024-01-02T03:04:05Z' },
  { color: 'red', port: 80 },
  { color: 'red', port: 'http' },
  { color: 'red', port: true },
  { color: 'red', nothing: null },
  { color: 'red', on: null },
  { color: 'red', tags: ['a', 'a'] },
  { color: 'red', tags: ['a', 'b', 'c', 'd'] },
  { color: 'red', tags: 'a' },
  { color: 'red', items: [{ value: 'x' }] },
  { color: 'red', items: [{ key: 'a' }, { key: 'a' }] },
  { color: 'red', items: [{ key: 'a' }, { key: 'b', count: 'x' }] },
  { color: 'red', labels: { a: 1 } },
  { color: 'red', labels: { a: '1', b: '2', c: '3' } },
  { color: 'red', odd: 1, any: { kept: { deep: [1] } }, atom: { a: 'x', c: 'dropped' } },
  { color: 'red', pod: { spec: {} } },
  { color: 'red', pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', odd: 1 }, spec: {} } },
  { color: 'red', either: {} },
  { color: 'red', either: { a: '1', b: '2' } },
  { color: 'blue', size: 6 },
  { color: 'red', size: 6 },
  [],
  'text',
  null,
];

const scale = (replicas: JsonValue): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', namespace: 'default' },
  spec: { replicas },
});

export const objectSteps: readonly Step[] = [
  get(`/apis/${group}`),
  get(`/apis/${group}/v1`),
  ...specs.map(tried),
  post(
    widget(
      'a',
      { color: 'red', items: [{ key: 'a' }, { key: 'b', value: 'chosen' }], labels: { 'a.b': 'c' } },
      { status: { phase: 'Good' } },
    ),
  ),
  post(widget('a', { color: 'red' })),
  post(widget('b', { color: 'blue', ratio: 1.5, on: true, tags: ['x'] })),
  post({ ...widget('c', { color: 'red' }), kind: 'Gadget' }),
  post({ apiVersion: `${group}/v2`, kind: 'Widget', metadata: { name: 'c' } }),
  post({ ...widget('c', { color: 'red' }), metadata: {} }),
  post({ ...widget('UPPER', { color: 'red' }) }),
  post({ metadata: { name: 'c' }, spec: { color: 'red' } }),
  get(one),
  get(path),
  get(path, {}, table),
  get(one, {}, table),
  get(one, {}, partial),
  get(path, {}, partials),
  get(path, { fieldSelector: 'spec.color=blue' }),
  get(path, { fieldSelector: 'spec.size=3,spec.color!=blue' }),
  get(path, { fieldSelector: 'spec.name=x' }),
  get(path, { labelSelector: 'a=b' }),
  put(one, widget('a', { color: 'red', size: 4 })),
  put(one, widget('a', { color: 'pink' })),
  put(one, widget('a', { color: 'red', size: 4 }, { status: { phase: 'Bad' } })),
  { method: 'PUT', path: one, body: widget('a', { color: 'red' }) },
  put(`${path}/other`, widget('a', { color: 'red' })),
  put(
    `${one}/status`,
    widget(
      'a',
      { color: 'blue' },
      { metadata: { name: 'a', labels: { x: 'y' } }, status: { phase: 'Good', replicas: 2, selector: 'a=b' } },
    ),
  ),
  put(`${one}/status`, widget('a', { color: 'blue' }, { status: { phase: 'Odd' } })),
  get(`${one}/status`),
  get(`${one}/scale`),
  { method: 'PUT', path: `${one}/scale`, body: scale(4) },
  { method: 'PUT', path: `${one}/scale`, body: scale(-1) },
  patch('merge', { spec: { replicas: 5 } }, `${one}/scale`),
  get(one),
  patch('merge', { spec: { size: 5, odd: 1 } }),
  patch('merge', { spec: { size: 50 } }),
  patch('merge', { spec: { size: null } }),
  patch('merge', { spec: null }),
  patch('merge', { status: { phase: 'Bad' } }),
  patch('merge', { status: { phase: 'Bad' } }, `${one}/status`),
  patch('merge', { spec: { name: 'abc' } }),
  patch('merge', { spec: { name: 'xyz' } }),
  patch('json', [{ op: 'replace', path: '/spec/size', value: 2 }]),
  patch('json', [{ op: 'test', path: '/spec/size', value: 3 }]),
  patch('json', [{ op: 'remove', path: '/spec/nothing' }]),
  patch('json', [{ op: 'add', path: '/spec/items', value: [{ key: 'z' }] }]),
  patch('strategic', { spec: { size: 2 } }),
  apply('one', { color: 'red', items: [{ key: 'a', count: 1 }], tags: ['x'], atom: { a: '1' } }),
  apply('two', { color: 'red', items: [{ key: 'b', count: 2 }], tags: ['y'] }),
  apply('two', { color: 'blue', items: [{ key: 'a', count: 3 }], atom: { b: '2' } }),
  apply('two', { color: 'blue', items: [{ key: 'a', count: 3 }], atom: { b: '2' } }, { force: 'true' }),
  apply('one', { color: 'blue' }),
  apply('one', { color: 'pink' }),
  apply('three', { color: 'blue', size: 'x' }),
  patch(
    'apply',
    { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'applied' }, status: { phase: 'Good' } },
    `${path}/applied/status`,
    { fieldManager: 'four' },
  ),
  get(`${path}/applied`),
  { method: 'DELETE', path: `${path}/b`, query: { dryRun: 'All' } },
  { method: 'DELETE', path: `${path}/b` },
  { method: 'DELETE', path: `${path}/b` },
  get(`/apis/${group}/v1/widgets`, { limit: '1', fieldSelector: 'metadata.name=a' }),
];

const open = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});

export const several: JsonObject = definition(
  { plural: 'severals', kind: 'Several' },
  {},
  {
    scope: 'Cluster',
    versions: [
      { name: 'v1', served: true, storage: false, schema: { openAPIV3Schema: open({ a: text }) } },
      {
        name: 'v2',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: open({ a: text, b: { ...text, default: 'two' } }) },
      },
      { name: 'v3', served: false, storage: false, schema: { openAPIV3Schema: open({ c: text }) } },
    ],
  },
);

const severals = (version: string): string => `/apis/${group}/${version}/severals`;
const severalOf = (version: string, name: string, given: JsonObject): JsonObject => ({
  apiVersion: `${group}/${version}`,
  kind: 'Several',
  metadata: { name },
  spec: given,
});

export const severalSteps: readonly Step[] = [
  get(`/apis/${group}`),
  get(`/apis/${group}/v2`),
  { method: 'POST', path: severals('v1'), body: severalOf('v1', 'a', { a: 'x', b: 'dropped' }) },
  { method: 'POST', path: severals('v2'), body: severalOf('v2', 'b', { a: 'x', b: 'y' }) },
  { method: 'POST', path: severals('v3'), body: severalOf('v3', 'c', {}) },
  get(`${severals('v1')}/b`),
  get(`${severals('v2')}/a`),
  get(severals('v1')),
  patch('merge', { spec: { a: 'z' } }, `${severals('v1')}/b`),
  get(`${severals('v2')}/b`),
];

const severalPath = `${definitionsPath}/severals.${group}`;
const change = (edit: (spec: JsonObject) => JsonObject): Step =>
  put(severalPath, { ...several, spec: edit(several['spec'] as JsonObject) });

export const changeSteps: readonly Step[] = [
  change((given) => ({ ...given, scope: 'Namespaced' })),
  change((given) => ({ ...given, names: { plural: 'severals', kind: 'Other' } })),
  change((given) => ({ ...given, group: 'other.example.com' })),
  change((given) => ({
    ...given,
    versions: (given['versions'] as JsonObject[]).slice(0, 1).map((version) => ({ ...version, storage: true })),
  })),
  change((given) => ({ ...given, preserveUnknownFields: false })),
  patch('merge', { metadata: { labels: { a: 'b' } } }, severalPath),
  patch(
    'json',
    [
      {
        op: 'replace',
        path: '/spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/b/type',
        value: 'odd',
      },
    ],
    severalPath,
  ),
];
