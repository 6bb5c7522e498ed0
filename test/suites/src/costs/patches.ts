/** What applies patches to objects. */

import { definitionKind } from '@fleet/apiserver/crds/definition-kind.ts';
import { builtInTypes } from '@fleet/apiserver/http/object-types.ts';
import { patched } from '@fleet/apiserver/http/patched.ts';
import { configMaps } from '@fleet/apiserver/kinds/core.ts';
import { pods } from '@fleet/apiserver/kinds/pods/kind.ts';
import { PatchType } from '@fleet/apiserver/patch/patch-type.ts';
import { strategicMergePatch } from '@fleet/apiserver/patch/strategic-merge-patch.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import { builtInType } from '@fleet/apiserver/schema/built-in.ts';
import { type JsonObject, parseJson } from '@fleet/kube/json-value.ts';
import type { Read } from './growth.ts';
import {
  configMap,
  deep,
  definition,
  fields,
  halves,
  little,
  type Make,
  many,
  much,
  named,
  pair,
  pod,
  type Structured,
  schemaDepth,
} from './structured.ts';
import type { Shape } from './texts.ts';

const patch =
  (contentType: string, types = builtInTypes(pods)): Read =>
  (text) => {
    const [old, sent] = halves(text);
    const request = { method: 'PATCH', url: '/', headers: { 'content-type': contentType }, body: Buffer.from(sent) };
    return patched(request as never, types, JSON.parse(old) as KubeObject);
  };

/** Recursive, so that merging goes as deep as the patch does. A definition has it in a list, which is replaced as a whole. */
const schemaName = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
const schemaType = new PatchType(builtInType(schemaName)!, 'JSONSchemaProps', builtInType);

const spec = (what: object) => ({ spec: what });
const strategic: Shape[] = [
  pair(
    'elements by key',
    80,
    (n) => pod({ containers: named(n) }),
    (n) => spec({ containers: named(n).reverse() }),
  ),
  pair(
    '$patch: delete',
    80,
    (n) => pod({ containers: named(n) }),
    (n) => spec({ containers: named(n).map(({ name }) => ({ name, $patch: 'delete' })) }),
  ),
  pair(
    '$setElementOrder',
    80,
    (n) => pod({ containers: named(n) }),
    (n) => spec({ '$setElementOrder/containers': named(n).reverse(), containers: named(n).reverse() }),
  ),
  pair(
    '$deleteFromPrimitiveList',
    30,
    (n) => ({ metadata: { finalizers: many(n, (index) => `f${index}`) } }),
    (n) => ({ metadata: { '$deleteFromPrimitiveList/finalizers': many(n, (index) => `f${n - index}`) } }),
  ),
  pair(
    'primitives',
    30,
    (n) => ({ metadata: { finalizers: many(n, (index) => `f${index}`) } }),
    (n) => ({ metadata: { finalizers: many(n, (index) => `f${2 * n - index}`) } }),
  ),
  pair(
    '$retainKeys',
    30,
    (n) => pod({ nodeSelector: fields(n) }),
    (n) => spec({ nodeSelector: { $retainKeys: Object.keys(fields(n / 2)) } }),
  ),
  pair(
    'directives for lists that are not there',
    40,
    (n) => pod({ nodeSelector: fields(n) }),
    (n) => spec(Object.fromEntries(many(n, (index) => [`$setElementOrder/k${index}`, []]))),
  ),
];

const operations = (name: string, cost: number, old: Make, make: (index: number, count: number) => object): Shape =>
  pair(name, cost, old, (count) => many(Math.min(count, 10_000), (index) => make(index, count)));
const list = (n: number) => configMap({ a: many(n, () => 1) });
const jsonPatches: Shape[] = [
  operations(
    'adds',
    60,
    () => configMap({}),
    (index) => ({ op: 'add', path: `/data/k${index}`, value: 'x' }),
  ),
  operations(
    'adds to what is large',
    60,
    (n) => configMap(fields(n)),
    (index) => ({
      op: 'add',
      path: `/data/k${index}`,
      value: 'x',
    }),
  ),
  operations('adds at the front', 60, list, () => ({ op: 'add', path: '/data/a/0', value: 1 })),
  operations('removals at the front', 60, list, () => ({ op: 'remove', path: '/data/a/0' })),
  operations('moves', 60, list, () => ({ op: 'move', from: '/data/a/0', path: '/data/a/-' })),
  operations('copies', 60, list, () => ({ op: 'copy', from: '/data/a', path: '/data/b' })),
  operations(
    'copies of copies',
    60,
    () => configMap({}),
    () => ({ op: 'copy', from: '/data', path: '/data/b' }),
  ),
  operations('tests', 60, list, () => ({ op: 'test', path: '/data/a/0', value: 1 })),
  {
    name: 'long pointers',
    make(length) {
      const depth = Math.floor(Math.sqrt(length));
      const data = JSON.parse(deep(depth)) as object;
      const path = `/data${'/a'.repeat(depth)}`;
      const sent = many(Math.floor(length / path.length), () => ({ op: 'replace', path, value: 1 }));
      return `${JSON.stringify(configMap(data))}\n${JSON.stringify(sent)}`;
    },
  },
  { name: 'escapes', make: (length) => `{}\n[{"op":"add","path":"/${'~1'.repeat(length / 2)}","value":1}]` },
];

const mergePatches: Shape[] = [
  pair(
    'fields',
    30,
    (n) => configMap(fields(n)),
    (n) => ({ data: fields(2 * n) }),
  ),
  pair(
    'removals',
    30,
    (n) => configMap(fields(n)),
    (n) => ({
      data: Object.fromEntries(Object.keys(fields(n)).map((key) => [key, null])),
    }),
  ),
  pair(
    'objects',
    40,
    (n) => configMap(Object.fromEntries(many(n, (index) => [`k${index}`, {}]))),
    (n) => ({
      data: Object.fromEntries(many(n, (index) => [`k${index}`, { a: {} }])),
    }),
  ),
];

export const patches: Record<string, Structured> = {
  'a strategic merge patch': {
    length: much,
    read: patch('application/strategic-merge-patch+json'),
    shapes: strategic,
  },
  'a JSON patch of many operations': {
    length: much,
    read: patch('application/json-patch+json', builtInTypes(configMaps)),
    shapes: jsonPatches,
  },
  'a merge patch of many fields': {
    length: much,
    read: patch('application/merge-patch+json', builtInTypes(configMaps)),
    shapes: mergePatches,
  },
  'a deep merge patch': {
    length: little,
    read: patch('application/merge-patch+json', builtInTypes(configMaps)),
    shapes: [{ name: 'depth', make: (length) => `${JSON.stringify(configMap({}))}\n${deep(length / 40)}` }],
  },
  'a deep strategic merge patch': {
    length: little,
    read: (text) => {
      const [old, sent] = halves(text).map((half) => parseJson(half) as JsonObject);
      return strategicMergePatch(old!, sent!, schemaType);
    },
    shapes: [
      {
        name: 'depth',
        make: (length) => `${schemaDepth(length / 40, '{}')}\n${schemaDepth(length / 40, '{"type":"object"}')}`,
      },
    ],
  },
  'a strategic merge patch of a definition': {
    length: little,
    read: patch('application/strategic-merge-patch+json', builtInTypes(definitionKind(async () => []))),
    shapes: [{ name: 'depth', make: (length) => `${definition('{}')}\n${definition(schemaDepth(length / 40, '{}'))}` }],
  },
};
