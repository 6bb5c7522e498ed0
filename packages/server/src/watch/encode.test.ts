import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { describe, expect, it } from 'vitest';
import { readEventLine } from '../merge/event-line.ts';
import { askedBy } from '../testing/known-kinds.ts';
import { EventEncoder } from './encode.ts';

const encoder = new EventEncoder({
  view: { names: 'name-suffixed' },
  isEvent: false,
  asked: undefined,
  form: 'object',
});

const received = (items: readonly object[], head: { kind?: string; apiVersion: string }) =>
  encoder
    .initial(
      'm1',
      items.map((item) => Buffer.from(JSON.stringify(item))),
      head,
    )
    .bytes.toString()
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { object: unknown }).object);

const metadata = { name: 'x' };
const shown = { name: 'x.clusterspace.m1' };

it('WATCH-3: initial objects have their kind, as events do', () => {
  expect(received([{ metadata }], { kind: 'ConfigMapList', apiVersion: 'v1' })).toEqual([
    { kind: 'ConfigMap', apiVersion: 'v1', metadata: shown },
  ]);
});

it('WATCH-3: custom objects have it themselves, whatever their keys are sorted behind', () => {
  const gadget = { above: 1, apiVersion: 'example.dev/v1', kind: 'Gadget', metadata };
  expect(received([gadget], { apiVersion: 'example.dev/v1' })).toEqual([{ ...gadget, metadata: shown }]);
});

it('NAME-5: objects of the control plane have no suffix', () => {
  const { bytes } = encoder.initial('karmada', [Buffer.from(JSON.stringify({ metadata }))], {
    kind: 'ConfigMapList',
    apiVersion: 'v1',
  });
  expect(JSON.parse(bytes.toString())).toMatchObject({ object: { metadata } });
});

it('WATCH-8: rows without objects have a version all the same', () => {
  const tables = new EventEncoder({
    view: { names: 'name-suffixed' },
    isEvent: false,
    asked: undefined,
    form: 'Table',
    bare: true,
  });
  const row = {
    cells: ['x'],
    object: { kind: 'PartialObjectMetadata', metadata: { ...metadata, resourceVersion: '7' } },
  };
  const columnDefinitions = [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }];
  const head = { kind: 'Table', apiVersion: 'meta.k8s.io/v1', columnDefinitions };
  tables.learn('m1', head);
  const { bytes } = tables.initial('m1', [Buffer.from(JSON.stringify(row))], head);
  expect(JSON.parse(bytes.toString()).object).toMatchObject({
    metadata: { resourceVersion: '7' },
    rows: [{ cells: ['x.clusterspace.m1'], object: null }],
  });
});

it.each([
  '{"cells":["x"],"object":{"metadata":{}},"object":{"metadata":{"name":"victim.clusterspace.m2"}}}',
  '{"cells":["x"],"object":{"metadata":{}},"obj\\u0065ct":{"metadata":{"name":"victim.clusterspace.m2"}}}',
  '{"cells":["x"],"c\\u0065lls":["victim.clusterspace.m2"],"object":{"metadata":{}}}',
])('SEC-1: a row that clients would read otherwise is refused: %s', (row) => {
  for (const bare of [false, true]) {
    const tables = new EventEncoder({
      view: { names: 'name-suffixed' },
      isEvent: false,
      asked: undefined,
      form: 'Table',
      bare,
    });
    const head = { kind: 'Table', apiVersion: 'meta.k8s.io/v1' };
    expect(() => tables.initial('m1', [Buffer.from(row)], head)).toThrow(JsonBytesError);
    const line = Buffer.from(`{"type":"ADDED","object":{"kind":"Table","rows":[${row}]}}`);
    expect(() =>
      tables.batch('m1', {
        events: [{ line, read: readEventLine(line), position: '1' }],
        position: '1',
        resumable: true,
      }),
    ).toThrow(JsonBytesError);
  }
});

describe('SEC-1: an object of another kind or cluster', () => {
  const asked = askedBy('/api/v1/namespaces/d/pods');
  const own = { name: 'x', namespace: 'd' };
  const others = [
    { kind: 'Namespace', apiVersion: 'v1', metadata: own },
    { metadata: own, kind: 'Namespace', apiVersion: 'v1' },
    { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'x', namespace: 'd.clusterspace.victim' } },
  ];
  const row = (object: object) => ({ cells: ['x'], object });
  const bytesOf = (value: object) => Buffer.from(JSON.stringify(value));
  const shape = { view: { names: 'name-suffixed' }, isEvent: false, asked } as const;

  it.each(others)('is refused in events and in what there is: %o', (other) => {
    const objects = new EventEncoder({ ...shape, form: 'object' });
    const tables = new EventEncoder({ ...shape, form: 'Table' });
    const batch = (encoder: EventEncoder, object: object) => {
      const line = bytesOf({ type: 'ADDED', object });
      return encoder.batch('m1', {
        events: [{ line, read: readEventLine(line), position: '1' }],
        position: '1',
        resumable: true,
      });
    };
    const table = { kind: 'Table', apiVersion: 'meta.k8s.io/v1' };
    expect(() => batch(objects, other)).toThrow(JsonBytesError);
    expect(() => batch(tables, { ...table, rows: [row(other)] })).toThrow(JsonBytesError);
    const head = { kind: 'PodList', apiVersion: 'v1' };
    expect(() => objects.initial('m1', [bytesOf(other)], head)).toThrow(JsonBytesError);
    expect(() => tables.initial('m1', [bytesOf(row(other))], table)).toThrow(JsonBytesError);
  });

  it('so is a version behind the one that is put in front; one within is not', () => {
    const objects = new EventEncoder({ ...shape, form: 'object' });
    const head = { kind: 'PodList', apiVersion: 'v1' };
    const initial = (item: object) => objects.initial('m1', [bytesOf(item)], head);
    expect(() => initial({ metadata: own, apiVersion: 'serving.knative.dev/v1' })).toThrow(JsonBytesError);
    expect(() => initial({ metadata: own, spec: { apiVersion: 'v1' }, apiVersion: 'v2' })).toThrow(JsonBytesError);
    initial({ metadata: own, spec: { fieldRef: { apiVersion: 'v1' }, other: { apiVersion: 'v2' } } });
  });
});
