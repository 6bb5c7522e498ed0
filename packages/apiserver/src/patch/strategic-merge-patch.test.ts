import type { JsonObject } from '@fleet/kube/json-value.ts';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema/open-api.ts';
import { PatchType } from './patch-type.ts';
import { strategicMergePatch } from './strategic-merge-patch.ts';

const merged = (items: Schema, key?: string): Schema => ({
  type: 'array',
  items,
  'x-kubernetes-patch-strategy': 'merge',
  ...(key ? { 'x-kubernetes-patch-merge-key': key } : {}),
});
const text: Schema = { type: 'string' };
const item: Schema = { $ref: 'test.Item' };

const definitions: { [name: string]: Schema } = {
  'test.Item': {
    type: 'object',
    properties: {
      name: text,
      value: text,
      count: { type: 'integer' },
      merging: merged(item, 'name'),
      keyless: merged(item),
      scalars: merged(text),
      atomic: { type: 'array', items: item },
      replaced: { ...item, 'x-kubernetes-patch-strategy': 'replace' },
      retained: { ...item, 'x-kubernetes-patch-strategy': 'retainKeys' },
      inner: item,
      labels: { type: 'object', additionalProperties: text },
      lists: { type: 'object', additionalProperties: { type: 'array', items: text } },
    },
  },
};
const type = new PatchType(definitions['test.Item']!, 'Item', (name) => definitions[name]);

const a = { name: 'a', value: '1' };
const b = { name: 'b', value: '2' };
const c = { name: 'c', value: '3' };

describe('strategic merge patch', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['sets and clears fields', { name: 'x', value: '1' }, { value: null, count: 2 }, { name: 'x', count: 2 }],
    [
      'merges objects',
      { inner: { name: 'x', value: '1' } },
      { inner: { value: '2' } },
      { inner: { name: 'x', value: '2' } },
    ],
    ['merges maps', { labels: { a: '1', b: '2' } }, { labels: { b: null, c: '3' } }, { labels: { a: '1', c: '3' } }],
    ['drops nulls of what is new', {}, { inner: { name: null, value: '1' } }, { inner: { value: '1' } }],
    [
      'drops directives of what is new',
      {},
      { inner: { name: 'x', inner: { $patch: 'delete' } } },
      { inner: { name: 'x' } },
    ],
    ['replaces lists without a strategy', { atomic: [a, b] }, { atomic: [c] }, { atomic: [c] }],
    ['replaces objects by their strategy', { replaced: a }, { replaced: { value: '2' } }, { replaced: { value: '2' } }],
    ['replaces what is of another kind', { inner: a }, { inner: 'x' }, { inner: 'x' }],
    [
      'replaces an object by directive',
      { inner: a },
      { inner: { $patch: 'replace', value: '2' } },
      { inner: { value: '2' } },
    ],
    ['empties an object by directive', { inner: a }, { inner: { $patch: 'delete' } }, { inner: {} }],
    ['replaces the whole by directive', { inner: a, value: '1' }, { $patch: 'replace', name: 'x' }, { name: 'x' }],
    [
      'merges by key',
      { merging: [a, b] },
      { merging: [{ name: 'b', value: 'x' }] },
      { merging: [a, { name: 'b', value: 'x' }] },
    ],
    ['appends what has a new key', { merging: [a] }, { merging: [b] }, { merging: [b, a] }],
    [
      'clears a field of an element',
      { merging: [a] },
      { merging: [{ name: 'a', value: null }] },
      { merging: [{ name: 'a' }] },
    ],
    ['deletes by key', { merging: [a, b, c] }, { merging: [{ $patch: 'delete', name: 'b' }] }, { merging: [a, c] }],
    [
      'deletes every element with the key',
      { merging: [a, b, a] },
      { merging: [{ $patch: 'delete', name: 'a' }] },
      { merging: [b] },
    ],
    ['deletes and adds', { merging: [a, b] }, { merging: [{ $patch: 'delete', name: 'a' }, c] }, { merging: [c, b] }],
    ['replaces a list by directive', { merging: [a, b] }, { merging: [{ $patch: 'replace' }, c] }, { merging: [c] }],
    ['empties a list by directive', { merging: [a, b] }, { merging: [{ $patch: 'replace' }] }, { merging: [] }],
    [
      'merges lists inside elements',
      { merging: [{ name: 'a', merging: [b] }] },
      { merging: [{ name: 'a', merging: [c] }] },
      { merging: [{ name: 'a', merging: [c, b] }] },
    ],
    ['merges scalars as a set', { scalars: ['a', 'b'] }, { scalars: ['b', 'c'] }, { scalars: ['a', 'b', 'c'] }],
    [
      'deletes scalars',
      { scalars: ['a', 'b', 'c'] },
      { '$deleteFromPrimitiveList/scalars': ['a', 'c'] },
      { scalars: ['b'] },
    ],
    ['deletes scalars of a list that is not there', {}, { '$deleteFromPrimitiveList/scalars': ['a'] }, {}],
    [
      'deletes and adds scalars',
      { scalars: ['a', 'b'] },
      { '$deleteFromPrimitiveList/scalars': ['a'], scalars: ['c'] },
      { scalars: ['c', 'b'] },
    ],
    [
      'orders elements',
      { merging: [a, b, c] },
      { '$setElementOrder/merging': [{ name: 'c' }, { name: 'b' }, { name: 'a' }] },
      { merging: [c, b, a] },
    ],
    [
      'orders elements and adds one',
      { merging: [a, c] },
      { '$setElementOrder/merging': [{ name: 'a' }, { name: 'b' }, { name: 'c' }], merging: [b] },
      { merging: [a, b, c] },
    ],
    [
      'keeps the position of elements that the order does not name',
      { merging: [a, { name: 'server' }, b] },
      { '$setElementOrder/merging': [{ name: 'b' }, { name: 'a' }] },
      { merging: [{ name: 'server' }, b, a] },
    ],
    [
      'orders scalars',
      { scalars: ['a', 'b', 'c'] },
      { '$setElementOrder/scalars': ['c', 'a'] },
      { scalars: ['b', 'c', 'a'] },
    ],
    [
      'mixes what an empty order does not name',
      { scalars: ['b'] },
      { '$setElementOrder/scalars': [], scalars: ['x', 'c'] },
      { scalars: ['b', 'c', 'x'] },
    ],
    [
      'orders a list that is new',
      {},
      { '$setElementOrder/merging': [{ name: 'a' }, { name: 'b' }], merging: [a, b] },
      { merging: [a, b] },
    ],
    ['needs no list for an order', { name: 'x' }, { '$setElementOrder/merging': [{ name: 'a' }] }, { name: 'x' }],
    [
      'keeps only what is retained',
      { retained: { name: 'x', value: '1' } },
      { retained: { $retainKeys: ['name'] } },
      { retained: { name: 'x' } },
    ],
    [
      'sets what it retains',
      { retained: { name: 'x', value: '1' } },
      { retained: { $retainKeys: ['count'], count: 1 } },
      { retained: { count: 1 } },
    ],
    [
      'keeps digits',
      { count: 9007199254740993n },
      { inner: { count: 9007199254740995n } },
      { count: 9007199254740993n, inner: { count: 9007199254740995n } },
    ],
  ])('%s', (_what, object, patch, result) => {
    const before = structuredClone([object, patch]);
    expect(strategicMergePatch(object, patch, type)).toEqual(result);
    expect([object, patch]).toEqual(before);
  });

  it.each<[string, number, JsonObject, JsonObject]>([
    ['invalid patch format of retainKeys', 400, { retained: a }, { retained: { $retainKeys: 'name' } }],
    ['invalid patch format of retainKeys', 400, { retained: a }, { retained: { $retainKeys: ['name'], value: '1' } }],
    ['invalid patch format of primitive list', 400, { scalars: ['a'] }, { $deleteFromPrimitiveList: ['a'] }],
    ['invalid patch format of setElementOrder list', 400, { scalars: ['a'] }, { $setElementOrder: ['a'] }],
    ['unknown patch type: drop in map: map[$patch:drop]', 500, { inner: a }, { inner: { $patch: 'drop' } }],
    [
      'map: map[value:2] does not contain declared merge key: name',
      500,
      { merging: [a] },
      { merging: [{ value: '2' }] },
    ],
    [
      'map: map[$patch:delete] does not contain declared merge key: name',
      500,
      { merging: [a] },
      { merging: [{ $patch: 'delete' }] },
    ],
    ['merging lists cannot yet be specified in the patch', 500, { merging: [a] }, { merging: [{ $patch: 'merge' }] }],
    ['cannot merge lists without merge key for struct', 500, { keyless: [a] }, { keyless: [b] }],
    ['list element types are not identical: [[map[name:a value:1]] [x]]', 500, { merging: [a] }, { merging: ['x'] }],
    ['unable to find api field in struct Item for the json field "other"', 500, { other: {} }, { other: {} }],
    [
      'merging an object in json but data type is not struct, instead is: map',
      500,
      { lists: { x: ['a'] } },
      { lists: { x: ['b'] } },
    ],
    ['expected a []interface {}, but received a string', 500, {}, { '$setElementOrder/scalars': 'a' }],
    [
      "The order in patch list:\n[map[name:b value:2] map[name:a value:1]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
      500,
      { merging: [c] },
      { '$setElementOrder/merging': [{ name: 'a' }, { name: 'b' }], merging: [b, a] },
    ],
  ])('reports: %s', (message, code, object, patch) => {
    expect(() => strategicMergePatch(object, patch, type)).toThrow(expect.objectContaining({ message, code }));
  });
});
