import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span } from './json-bytes.ts';
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
    const wanted = { name: 'x', namespace: 'ns', resourceVersion: '12', owners: ['web-1', 'j'], involved: [] };
    expect(read({ metadata, spec: { metadata: { name: 'template' } } })).toEqual(wanted);
    expect(read({ data: { metadata: '{"name":"y"}' }, kind: 'K', metadata }, 2)).toEqual(wanted);
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
});
