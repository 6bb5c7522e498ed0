import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span } from './json-bytes.ts';
import { findObjectNames } from './object-names.ts';

const read = (object: unknown, space?: number, isEvent = false) => {
  const bytes = Buffer.from(JSON.stringify(object, null, space));
  const text = (span: Span | undefined) => (span ? bytes.toString('utf8', span.start, span.end) : undefined);
  const { name, namespace, resourceVersion, owners, involved } = findObjectNames(bytes, 0, isEvent);
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
});
