import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonBytesError, type Span } from './json-bytes.ts';
import { findObjectNames } from './object-names.ts';

const read = (object: unknown, space?: number, isEvent = false) => {
  const bytes = Buffer.from(JSON.stringify(object, null, space));
  const text = (span: Span | undefined) => (span ? bytes.toString('utf8', span.start, span.end) : undefined);
  const { name, namespace, resourceVersion, owners, involved } = findObjectNames(bytes, 0, { isEvent, maps: false });
  return {
    name: text(name),
    namespace: text(namespace),
    resourceVersion: text(resourceVersion),
    owners: owners.map(text),
    involved: involved.map(text),
  };
};

const metadata = {
  name: 'x',
  namespace: 'ns',
  resourceVersion: '12',
  labels: { name: 'not me' },
  ownerReferences: [
    { kind: 'ReplicaSet', name: 'web-1' },
    { kind: 'Job', name: 'j' },
  ],
};

describe('findObjectNames', () => {
  it('NAME-12: finds name, namespace, version and owners, whatever the order of keys and white space', () => {
    const expected = { name: 'x', namespace: 'ns', resourceVersion: '12', owners: ['web-1', 'j'], involved: [] };
    expect(read({ metadata, spec: { metadata: { name: 'template' } } })).toEqual(expected);
    expect(read({ data: { metadata: '{"name":"y"}' }, kind: 'K', metadata }, 2)).toEqual(expected);
  });

  it('NAME-12: finds what an Event is about, and only in Events', () => {
    const event = { metadata: { name: 'e' }, involvedObject: { kind: 'Pod', name: 'x' }, regarding: { name: 'y' } };
    expect(read(event, 0, true).involved).toEqual(['x', 'y']);
    expect(read(event).involved).toEqual([]);
  });

  it('is not misled by any other content', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (a, b) => {
        const { metadata: _, ...before } = a;
        const { name: _n, namespace: _ns, resourceVersion: _rv, ownerReferences: _o, ...inner } = b;
        expect(read({ ...before, metadata: { ...inner, name: 'x' } }).name).toBe('x');
      }),
    );
  });

  it('finds them in any order of keys, before and behind managedFields', () => {
    const managedFields = [{ fieldsV1: { 'f:metadata': { 'f:ownerReferences': {}, 'f:namespace': {} } } }];
    const keys = { ...metadata, managedFields, uid: 'u' };
    const order = fc.shuffledSubarray(Object.entries(keys), { minLength: 0 });
    fc.assert(
      fc.property(order, fc.constantFrom(0, 2), fc.boolean(), (entries, space, isEvent) => {
        const shown = Object.fromEntries(entries);
        expect(read({ metadata: shown, spec: { ownerReferences: [] } }, space, isEvent)).toEqual({
          name: shown['name'],
          namespace: shown['namespace'],
          resourceVersion: shown['resourceVersion'],
          owners: shown['ownerReferences'] ? ['web-1', 'j'] : [],
          involved: [],
        });
        expect(read({ metadata: shown }, space, isEvent).owners).toEqual(
          shown['ownerReferences'] ? ['web-1', 'j'] : [],
        );
      }),
    );
  });

  it.each([
    ['a second metadata', '{"metadata":{"name":"x"},"spec":{},"metadata":{"name":"y.clusterspace.m2"}}'],
    ['one without a name', '{"metadata":{"name":"x"},"spec":{},"metadata":{"namespace":"y"}}'],
    ['one that is none', '{"metadata":{"name":"x"},"metadata":null}'],
    ['one behind a template', '{"metadata":{"name":"x"},"spec":{"metadata":{}},"metadata":{"name":"y"}}'],
    ['one whose key is escaped', '{"metadata":{"name":"x"},"met\\u0061data":{"name":"y"}}'],
    ['an escaped one alone', '{"met\\u0061data":{"name":"y"}}'],
    ['a second name', '{"metadata":{"name":"x","name":"y"}}'],
    ['one behind managedFields', '{"metadata":{"name":"x","managedFields":[{"a":"}]}"}],"name":"y"}}'],
    ['a name whose key is escaped', '{"metadata":{"name":"x","n\\u0061me":"y"}}'],
    ['a second namespace', '{"metadata":{"namespace":"x","name":"x","namespace":"y"}}'],
    ['an owner with two names', '{"metadata":{"name":"x","ownerReferences":[{"name":"a","name":"b"}]}}'],
  ])("SEC-1: %s, which clients would take for the object's, is refused", (_, text) => {
    const bytes = Buffer.from(text);
    // A witness of what clients take.
    expect(JSON.stringify(JSON.parse(text))).not.toBe(text);
    for (const others of [false, true]) {
      expect(() => findObjectNames(bytes, 0, { isEvent: false, maps: true, others })).toThrow(JsonBytesError);
    }
    expect(() => findObjectNames(bytes, 0, { isEvent: true, maps: false })).toThrow(JsonBytesError);
  });

  const inner = '[{"kind":"Pod","metadata":{"name":"y.clusterspace.m2"}}]';
  it.each([
    ['behind its metadata', `{"metadata":{"name":"x"},"items":${inner}}`],
    ['before its metadata', `{"items":${inner},"metadata":{"name":"x"}}`],
    ['in letters of either case', `{"metadata":{"name":"x"},"Items":${inner}}`],
    ['in letters that Go folds', `{"metadata":{"name":"x"},"item\u017f":${inner}}`],
    ['in such letters, escaped', `{"metadata":{"name":"x"},"item\\u017f":${inner}}`],
    ['behind values that are no objects', `{"metadata":{"name":"x"},"items":[1,"a",${inner.slice(1)}}`],
    ['in a list within', `{"metadata":{"name":"x"},"items":[{"items":${inner}}]}`],
    ['with an escaped key', '{"metadata":{"name":"x"},"items":[{"\\u006detadata":{"name":"y.clusterspace.m2"}}]}'],
  ])('SEC-1: objects that kubectl would take for a list within the list are refused: %s', (_, text) => {
    for (const others of [false, true]) {
      const options = { isEvent: false, maps: true, others };
      expect(() => findObjectNames(Buffer.from(text), 0, options)).toThrow(JsonBytesError);
    }
  });

  it("SEC-1: a custom resource's own items, which are no objects, pass", () => {
    const items = [{ key: 'ca.crt', path: 'ca.crt' }, 'a', 1];
    expect(read({ items, metadata, spec: { template: { metadata: {} } } }).name).toBe('x');
    expect(read({ metadata, items, spec: { template: { metadata: {} } } }).name).toBe('x');
    expect(read({ metadata, items: { metadata: { name: 'y' } } }).name).toBe('x');
  });

  it.each([
    ['owners', `{"metadata":{"name":"x","ownerReferences":[{}${',{}'.repeat(100_000)}]}}`],
    ['members of an owner', `{"metadata":{"name":"x","ownerReferences":[{"a":1${',"a":1'.repeat(100_000)}}]}}`],
    ['items', `{"items":[1${',1'.repeat(100_000)}],"metadata":{"name":"x"}}`],
    ['members of an item', `{"items":[{"a":1${',"a":1'.repeat(100_000)}}],"metadata":{"name":"x"}}`],
  ])('LIMIT-3: a hostile object with too many %s is refused before it takes long', (_, text) => {
    const options = { isEvent: false, maps: true };
    expect(() => findObjectNames(Buffer.from(text), 0, options)).toThrow('too many');
  });

  it('takes escapes of what is no letter, and letters that are escaped in values', () => {
    const text =
      '{"a\\"b":1,"metadata":{"name":"x","labels":{"\\u0061":"\\u0062"}},"spec":{"metadata":{},"a":"\\u0061"}}';
    const { name } = findObjectNames(Buffer.from(text), 0, { isEvent: false, maps: false });
    expect(name && text.slice(name.start, name.end)).toBe('x');
  });

  it('finds the end of managedFields of any length', () => {
    for (const length of [0, 2_030, 2_040, 2_050, 40_000]) {
      const managedFields = [{ fieldsV1: { 'k:{"a":"}]}"}': { '.': 'x'.repeat(length) } } }];
      expect(read({ metadata: { name: 'x', managedFields, namespace: 'ns' }, spec: {} }).namespace).toBe('ns');
    }
  });
});

describe('SEC-1: the kind that an object claims to be', () => {
  const kindOf = (text: string) => {
    const bytes = Buffer.from(text);
    const { kind, apiVersion } = findObjectNames(bytes, 0, { isEvent: false, maps: false });
    return [kind, apiVersion].map((span) => span && bytes.toString('utf8', span.start, span.end));
  };

  it.each([
    ['{"kind":"Pod","apiVersion":"v1","metadata":{}}', ['Pod', 'v1']],
    ['{"metadata":{},"spec":{},"kind":"Pod","apiVersion":"v1"}', ['Pod', 'v1']],
    ['{"kind":"Pod","metadata":{},"apiVersion":"v1"}', ['Pod', 'v1']],
    ['{"apiVersion":"v1","metadata":{},"kind" : "Pod"}', ['Pod', 'v1']],
    ['{"metadata":{},"spec":{"kind":"Other"}}', [undefined, undefined]],
    ['{"kind":null,"metadata":{}}', [undefined, undefined]],
  ])('is found wherever it stands: %s', (text, found) => {
    expect(kindOf(text)).toEqual(found);
  });

  it.each([
    '{"kind":"Pod","kind":"Namespace","metadata":{}}',
    '{"kind":"Pod","metadata":{},"kind":"Namespace"}',
    '{"metadata":{},"k\\u0069nd":"Namespace"}',
    '{"apiVersion":"v1","kind":"Pod","apiVersion":"v2","metadata":{}}',
  ])('twice, or hidden, it is refused: %s', (text) => {
    expect(() => kindOf(text)).toThrow(JsonBytesError);
  });
});
