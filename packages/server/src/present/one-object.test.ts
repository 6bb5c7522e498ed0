import { StatusError } from '@fleet/kube/status.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presentObject } from './one-object.ts';

const shown = { cluster: 'm1', name: 'x', isEvent: false };
const present = async (value: unknown, space?: number, isEvent = false) =>
  JSON.parse((await presentObject(Buffer.from(JSON.stringify(value, null, space)), { ...shown, isEvent })).toString());

describe('NAME-4: one object in a suffixed view', () => {
  it('its name and its owners’ carry the suffix, namespace and version do not', async () => {
    const pod = {
      kind: 'Pod',
      metadata: { name: 'x', namespace: 'd', resourceVersion: '5', ownerReferences: [{ name: 'rs' }] },
      spec: { containers: [{ name: 'x' }] },
    };
    const wanted = {
      ...pod,
      metadata: { ...pod.metadata, name: 'x.clusterspace.m1', ownerReferences: [{ name: 'rs.clusterspace.m1' }] },
    };
    expect(await present(pod)).toEqual(wanted);
    expect(await present(pod, 2)).toEqual(wanted);
  });

  it('everything else keeps its bytes', async () => {
    const text = '{"kind":"K","n":12345678901234567890,"metadata":{"name":"x"},"s":"\\u2028"}\n';
    expect((await presentObject(Buffer.from(text), shown)).toString()).toBe(text.replace('"x"', '"x.clusterspace.m1"'));
  });

  it('splicing is parsing and changing, for any object', async () => {
    const object = fc.record({
      metadata: fc.record({ name: fc.string({ minLength: 1 }), a: fc.jsonValue() }),
      spec: fc.jsonValue(),
    });
    await fc.assert(
      fc.asyncProperty(object, fc.constantFrom(undefined, 1), async (value, space) => {
        const { metadata } = value;
        const wanted = { ...value, metadata: { ...metadata, name: `${metadata.name}.clusterspace.m1` } };
        expect(await present(value, space)).toEqual(JSON.parse(JSON.stringify(wanted)));
      }),
    );
  });

  it('an Event says what it is about by suffixed name', async () => {
    const event = { kind: 'Event', metadata: { name: 'e' }, involvedObject: { name: 'x' } };
    expect((await present(event, 0, true)).involvedObject.name).toBe('x.clusterspace.m1');
  });

  it('errors quote the name the user typed', async () => {
    const status = new StatusError(404, 'NotFound', 'pods "x" not found', { name: 'x', kind: 'pods' }).toStatus();
    expect(await present(status)).toEqual({
      ...status,
      message: 'pods "x.clusterspace.m1" not found',
      details: { name: 'x.clusterspace.m1', kind: 'pods' },
    });
  });

  it('an error about something else keeps its words', async () => {
    const status = new StatusError(403, 'Forbidden', 'namespaces "xy" is forbidden', {
      name: 'xy',
      kind: 'namespaces',
    }).toStatus();
    expect(await present(status)).toEqual(status);
  });

  it('LIST-5: a Table of one row', async () => {
    const columns = [
      { name: 'Name', format: 'name' },
      { name: 'Age', format: '' },
    ];
    const table = {
      kind: 'Table',
      columnDefinitions: columns,
      rows: [{ cells: ['x', '1d'], object: { metadata: { name: 'x' } } }],
      tail: 'x',
    };
    for (const space of [0, 2]) {
      expect(await present(table, space)).toEqual({
        ...table,
        rows: [{ cells: ['x.clusterspace.m1', '1d'], object: { metadata: { name: 'x.clusterspace.m1' } } }],
      });
    }
  });
});
