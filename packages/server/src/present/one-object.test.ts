import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { StatusError } from '@fleet/kube/status.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { View } from '../target/target.ts';
import { markingOf } from './marking.ts';
import { presentAnswer, type Shown } from './one-object.ts';
import { presentStatus } from './status-names.ts';

const suffixed: View = { names: 'name-suffixed' };
const shownAs = (view: View, isEvent = false): Shown => ({
  view,
  cluster: 'm1',
  name: 'x',
  namespace: 'd',
  marking: markingOf(view, 'm1', isEvent, undefined),
});
const present = async (value: unknown, space?: number, isEvent = false, view = suffixed) =>
  JSON.parse((await presentAnswer(Buffer.from(JSON.stringify(value, null, space)), shownAs(view, isEvent))).toString());

describe('NAME-4: one object in a suffixed view', () => {
  it('its name and its owners’ carry the suffix, namespace and version do not', async () => {
    const pod = {
      kind: 'Pod',
      metadata: { name: 'x', namespace: 'd', resourceVersion: '5', ownerReferences: [{ name: 'rs' }] },
      spec: { containers: [{ name: 'x' }] },
    };
    const expected = {
      ...pod,
      metadata: { ...pod.metadata, name: 'x.clusterspace.m1', ownerReferences: [{ name: 'rs.clusterspace.m1' }] },
    };
    expect(await present(pod)).toEqual(expected);
    expect(await present(pod, 2)).toEqual(expected);
  });

  it('everything else keeps its bytes', async () => {
    const text = '{"kind":"K","n":12345678901234567890,"metadata":{"name":"x"},"s":"\\u2028"}\n';
    expect((await presentAnswer(Buffer.from(text), shownAs(suffixed))).toString()).toBe(
      text.replace('"x"', '"x.clusterspace.m1"'),
    );
  });

  it('splicing is parsing and changing, for any object', async () => {
    const object = fc.record({
      metadata: fc.record({ name: fc.string({ minLength: 1 }), a: fc.jsonValue() }),
      spec: fc.jsonValue(),
    });
    await fc.assert(
      fc.asyncProperty(object, fc.constantFrom(undefined, 1), async (value, space) => {
        const { metadata } = value;
        const expected = { ...value, metadata: { ...metadata, name: `${metadata.name}.clusterspace.m1` } };
        expect(await present(value, space)).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });

  it('an Event names what it is about by suffixed name', async () => {
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

  it('errors about a name that was to be made', async () => {
    const shown = { ...shownAs(suffixed), name: undefined, namePrefix: 'x-' };
    for (const name of ['x-', 'x-abcde']) {
      const status = new StatusError(403, 'Forbidden', `pods "${name}" is forbidden`, {
        name,
        kind: 'pods',
      }).toStatus();
      const presented = JSON.parse((await presentAnswer(Buffer.from(JSON.stringify(status)), shown)).toString());
      expect(presented).toEqual({
        ...status,
        message: `pods "${name}.clusterspace.m1" is forbidden`,
        details: { name: `${name}.clusterspace.m1`, kind: 'pods' },
      });
    }
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
        rows: [
          {
            cells: ['x.clusterspace.m1', '1d'],
            object: { metadata: { name: 'x.clusterspace.m1', labels: { clusterspace: 'm1' } } },
          },
        ],
      });
    }
  });
});

describe('NAME-4: by suffixed namespace', () => {
  const view: View = { names: 'namespace-suffixed' };

  it('the namespace carries the suffix, names do not', async () => {
    const pod = { kind: 'Pod', metadata: { name: 'x', namespace: 'd', ownerReferences: [{ name: 'rs' }] } };
    expect(await present(pod, 0, false, view)).toEqual({
      ...pod,
      metadata: { ...pod.metadata, namespace: 'd.clusterspace.m1' },
    });
  });

  it('NAME-11: the rows of a Table carry the label, so that -L clusterspace prints it', async () => {
    const table = { kind: 'Table', columnDefinitions: [], rows: [{ cells: [], object: { metadata: { name: 'x' } } }] };
    const { rows } = await present(table, 0, false, view);
    expect(rows).toEqual([{ cells: [], object: { metadata: { name: 'x', labels: { clusterspace: 'm1' } } } }]);
  });

  it('errors quote the namespace the user typed', async () => {
    const message = 'pods "x" is forbidden: User "d" cannot get resource "pods" in the namespace "d"';
    const status = new StatusError(403, 'Forbidden', message, { name: 'x', kind: 'pods' }).toStatus();
    expect(await present(status, 0, false, view)).toEqual({
      ...status,
      message: message.replace('namespace "d"', 'namespace "d.clusterspace.m1"'),
    });
  });
});

describe('LIST-6: plain names, the cluster beside them', () => {
  const view: View = { names: 'plain', annotated: 'cluster.karmada.io/name' };
  const marked = { 'cluster.karmada.io/name': 'm1' };

  it.each([
    [{ name: 'x' }, { name: 'x', annotations: marked }],
    [{}, { annotations: marked }],
    [
      { name: 'x', annotations: {} },
      { name: 'x', annotations: marked },
    ],
    [
      { annotations: { a: 'b' }, name: 'x', managedFields: [{ annotations: {} }] },
      { annotations: { ...marked, a: 'b' }, name: 'x', managedFields: [{ annotations: {} }] },
    ],
  ])('an object names its cluster: %j', async (metadata, expected) => {
    for (const space of [0, 2]) {
      expect(await present({ kind: 'Pod', metadata, spec: {} }, space, false, view)).toEqual({
        kind: 'Pod',
        metadata: expected,
        spec: {},
      });
    }
  });

  it.each([
    ['in its own annotation', '{"a":"b","cluster.karmada.io/name":"m2"}', { a: 'b', ...marked }],
    ['twice', '{"cluster.karmada.io/name":"m2","cluster.karmada.io/name":["m3"]}', marked],
    ['by an escape', '{"cluster.karmada.io\\/n\\u0061me":"m2"}', marked],
    ['by none at all', 'null', marked],
  ])(
    'CACHE-9: an object that names another cluster, %s, has the one that it is of',
    async (_, annotations, expected) => {
      const object = (metadata: string) => Buffer.from(`{"kind":"Pod","metadata":{"name":"x",${metadata}}}`);
      const shown = await presentAnswer(object(`"annotations":${annotations}`), shownAs(view));
      expect(JSON.parse(String(shown)).metadata.annotations).toEqual(expected);
      const row = `{"kind":"Table","rows":[{"cells":[],"object":${object('"labels":{"clusterspace":"m2"}')}}]}`;
      const { rows } = JSON.parse(String(await presentAnswer(Buffer.from(row), shownAs(view))));
      expect(rows[0].object.metadata.labels).toEqual({ clusterspace: 'm1' });
      expect(String(shown)).not.toMatch(/m2|m3/);
    },
  );

  it('a Table has a last column for it', async () => {
    const table = {
      kind: 'Table',
      metadata: { resourceVersion: '5' },
      columnDefinitions: [{ name: 'Name', format: 'name' }],
      rows: [
        { cells: ['x'], object: { metadata: { name: 'x' } } },
        { cells: [], object: null },
      ],
    };
    const { columnDefinitions, rows, metadata } = await present(table, 0, false, view);
    expect(columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(['Name', 'CLUSTER']);
    expect(rows).toEqual([
      {
        cells: ['x', 'm1'],
        object: { metadata: { name: 'x', annotations: marked, labels: { clusterspace: 'm1' } } },
      },
      { cells: ['m1'], object: null },
    ]);
    expect(metadata).toEqual({ resourceVersion: '5' });
  });
});

const bad = '{"kind":"Pod","metadata":{"name":"victim.clusterspace.m2"}}';

describe('SEC-1: an answer that clients would read otherwise is refused', () => {
  it.each([
    ['an error that is an object', '{"kind":"Status","kind":"Pod","metadata":{"name":"victim.clusterspace.m2"}}'],
    ['an error that is one by an escape', '{"kind":"Status","k\\u0069nd":"Pod","metadata":{}}'],
    ['an object that is a list', `{"kind":"Pod","items":[${bad}],"kind":"PodList"}`],
    ['a list without a list kind', `{"kind":"Pod","metadata":{"name":"x"},"items":[${bad}]}`],
    ['an error that is a list', `{"kind":"Status","items":[${bad}]}`],
    ['a list with other items', `{"kind":"PodList","items":[],"items":[${bad}]}`],
    ['a row with another object', `{"kind":"Table","rows":[{"cells":["a"],"object":{},"object":${bad}}]}`],
    ['one by an escape', `{"kind":"Table","rows":[{"cells":["a"],"object":{},"obj\\u0065ct":${bad}}]}`],
    ['a row with other cells', '{"kind":"Table","rows":[{"cells":["a"],"object":{},"cells":["b"]}]}'],
    ['some by an escape', '{"kind":"Table","rows":[{"cells":["a"],"c\\u0065lls":["b"],"object":{}}]}'],
  ])('%s', async (_, text) => {
    await expect(presentAnswer(Buffer.from(text), shownAs(suffixed))).rejects.toThrow(JsonBytesError);
  });

  it('what is called Status by its bytes is one by its value', () => {
    expect(() => presentStatus(Buffer.from('{"kind":"Status","kind":"Pod"}'), shownAs(suffixed))).toThrow(
      JsonBytesError,
    );
  });

  it('custom objects may have items that are no objects', async () => {
    expect((await present({ kind: 'Order', items: ['a'], metadata: { name: 'x' } })).items).toEqual(['a']);
  });
});
