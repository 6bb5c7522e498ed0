import type { JsonObject } from '@fleet/kube/json-value.ts';
import { describe, expect, it } from 'vitest';
import { FieldSet } from '../fields/field-set.ts';
import { byName } from '../fields/path-element.ts';
import { FieldManager } from './field-manager.ts';
import { builtInKind, customKind } from './managed-kind.ts';

const configMaps = new FieldManager(builtInKind('v1', 'ConfigMap'));
const deployments = new FieldManager(
  builtInKind('apps/v1', 'Deployment', { resetFields: () => FieldSet.of([byName('status')]) }),
);

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const configMap = (data: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default', ...more },
  data,
});
const stored = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(object['metadata'] as JsonObject), uid: '1' },
});
const managers = (object: JsonObject) => (object['metadata'] as JsonObject)['managedFields'] as JsonObject[];
const apply = (live: JsonObject | undefined, config: JsonObject, manager: string, force = false, second = 0) =>
  stored(configMaps.apply(live, config, { manager, force, now: at(second) }));

describe('managed fields of updates', () => {
  it('a create manages all that it sets', () => {
    expect(managers(configMaps.update(undefined, configMap({ x: '1' }, { labels: { l: '' } }), 'curl', at(5)))).toEqual(
      [
        {
          manager: 'curl',
          operation: 'Update',
          apiVersion: 'v1',
          time: '2026-01-01T00:00:05Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { '.': {}, 'f:x': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } } },
        },
      ],
    );
  });

  it('structs that are always there are nobody’s, elements of lists are by their keys', () => {
    const deployment: JsonObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        strategy: { type: 'Recreate' },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80, protocol: 'TCP' }], resources: {} }],
          },
        },
      },
      status: { replicas: 1 },
    };
    expect(managers(deployments.update(undefined, deployment, 'curl', at(0)))[0]!['fieldsV1']).toEqual({
      'f:spec': {
        'f:selector': {},
        'f:strategy': { 'f:type': {} },
        'f:template': {
          'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
          'f:spec': {
            'f:containers': {
              'k:{"name":"c"}': {
                '.': {},
                'f:image': {},
                'f:name': {},
                'f:ports': {
                  '.': {},
                  'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {}, 'f:protocol': {} },
                },
                'f:resources': {},
              },
            },
          },
        },
      },
    });
  });

  it('a change takes fields from who had them, and leaves him the rest', () => {
    const first = stored(configMaps.update(undefined, configMap({ x: '1', y: '1' }), 'one', at(1)));
    const second = configMaps.update(first, configMap({ x: '1', y: '2' }, { uid: '1' }), 'two', at(2));
    expect(managers(second).map(({ manager, fieldsV1, time }) => [manager, fieldsV1, time])).toEqual([
      ['one', { 'f:data': { '.': {}, 'f:x': {} } }, '2026-01-01T00:00:01Z'],
      ['two', { 'f:data': { 'f:y': {} } }, '2026-01-01T00:00:02Z'],
    ]);
  });

  it('nobody manages objects that had no managers, and a list of none forgets them', () => {
    const first = stored(configMap({ x: '1' }));
    expect(managers(configMaps.update(first, configMap({ x: '2' }), 'one', at(0)))).toBeUndefined();
    const managed = stored(configMaps.update(undefined, configMap({ x: '1' }), 'one', at(0)));
    expect(
      managers(configMaps.update(managed, configMap({ x: '2' }, { managedFields: [] }), 'one', at(0))),
    ).toBeUndefined();
    expect(
      managers(configMaps.update(managed, configMap({ x: '1' }, { managedFields: [{}] }), 'one', at(0))),
    ).toBeUndefined();
  });

  it('an eleventh manager makes the two oldest one', () => {
    let object: JsonObject | undefined;
    const data: JsonObject = {};
    for (let manager = 0; manager < 11; manager++) {
      data[`k${manager}`] = '';
      object = stored(
        configMaps.update(object, configMap({ ...data }, object ? { uid: '1' } : {}), `m${manager}`, at(manager)),
      );
    }
    const entries = managers(object!);
    expect(entries).toHaveLength(10);
    expect(entries[0]).toMatchObject({
      manager: 'ancient-changes',
      time: '2026-01-01T00:00:01Z',
      fieldsV1: { 'f:data': { '.': {}, 'f:k0': {}, 'f:k1': {} } },
    });
  });
});

describe('server-side apply', () => {
  it('creates, changes and removes what it applied', () => {
    const first = apply(undefined, configMap({ x: '1', y: '1' }), 'one');
    expect(first).toMatchObject({ data: { x: '1', y: '1' } });
    expect(managers(first)).toMatchObject([
      { manager: 'one', operation: 'Apply', fieldsV1: { 'f:data': { 'f:x': {}, 'f:y': {} } } },
    ]);
    const second = apply(first, configMap({ x: '2' }), 'one', false, 1);
    expect(second['data']).toEqual({ x: '2' });
    expect(managers(second)).toMatchObject([{ time: '2026-01-01T00:00:01Z', fieldsV1: { 'f:data': { 'f:x': {} } } }]);
  });

  it('leaves what others apply, and what both do until neither does', () => {
    const one = apply(undefined, configMap({ x: '1', y: '1' }), 'one');
    const two = apply(one, configMap({ y: '1', z: '1' }), 'two');
    const less = apply(two, configMap({ x: '1' }), 'one');
    expect(less['data']).toEqual({ x: '1', y: '1', z: '1' });
    expect(apply(less, configMap({ z: '1' }), 'two')['data']).toEqual({ x: '1', z: '1' });
  });

  it('conflicts with who set another value, and takes it by force', () => {
    const one = apply(undefined, configMap({ x: '1', y: '1' }), 'one');
    const updated = stored(configMaps.update(one, { ...one, data: { x: '1', y: '2' } }, 'two', at(0)));
    expect(() => apply(updated, configMap({ x: '2' }), 'three')).toThrow(
      expect.objectContaining({
        code: 409,
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "one": .data.x',
        details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.x' }] },
      }),
    );
    expect(() => apply(updated, configMap({ x: '2', y: '3' }), 'three')).toThrow(
      'Apply failed with 2 conflicts: conflicts with "one":\n- .data.x\nconflicts with "two" using v1:\n- .data.y',
    );
    const forced = apply(updated, configMap({ x: '2', y: '3' }), 'three', true);
    expect(forced['data']).toEqual({ x: '2', y: '3' });
    expect(managers(forced).map(({ manager }) => manager)).toEqual(['three']);
  });

  it('gives no new time to who applies what is so already', () => {
    const one = apply(undefined, configMap({ x: '1' }), 'one', false, 1);
    expect(managers(apply(one, configMap({ x: '1' }), 'one', false, 2))).toMatchObject([
      { time: '2026-01-01T00:00:01Z' },
    ]);
  });

  it('puts what was there before the first apply under one name', () => {
    const before = stored(configMap({ x: '1', y: '1' }));
    expect(() => apply(before, configMap({ x: '2' }), 'one')).toThrow(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.x',
    );
    expect(managers(apply(before, configMap({ x: '1' }), 'one')).map(({ manager }) => manager)).toEqual([
      'one',
      'before-first-apply',
    ]);
  });

  it('lets kubectl take over what it applied on its own, and keeps its record', () => {
    const record = 'kubectl.kubernetes.io/last-applied-configuration';
    const applied = configMap({ x: '1' });
    const annotations = { [record]: JSON.stringify(applied) };
    const live = stored(
      configMaps.update(undefined, configMap({ x: '1' }, { annotations }), 'kubectl-client-side-apply', at(0)),
    );
    expect(() => apply(live, configMap({ x: '2' }), 'other')).toThrow('Apply failed with 1 conflict');
    const taken = apply(live, configMap({ x: '2' }), 'kubectl');
    expect(taken['data']).toEqual({ x: '2' });
    const kept = ((taken['metadata'] as JsonObject)['annotations'] as JsonObject)[record];
    expect(kept).toBe(
      '{"apiVersion":"v1","data":{"x":"2"},"kind":"ConfigMap","metadata":{"name":"a","namespace":"default"}}\n',
    );
  });

  it.each<[string, number, JsonObject]>([
    ['invalid object type: /v1, Kind=Secret', 400, { ...configMap({}), kind: 'Secret' }],
    ['metadata.managedFields must be nil', 400, configMap({}, { managedFields: [] })],
    [
      'failed to create typed patch object (default/a; /v1, Kind=ConfigMap): .dat: field not declared in schema',
      500,
      { ...configMap({}), dat: {} },
    ],
    [
      'failed to create typed patch object (default/a; /v1, Kind=ConfigMap): .data.x: expected string, got &value.valueUnstructured{Value:1}',
      500,
      configMap({ x: 1 }),
    ],
    [
      'failed to create typed patch object (default/a; /v1, Kind=ConfigMap): errors:\n  .data: expected map, got &{x}\n  .immutable: expected boolean, got &{1}',
      500,
      { ...configMap({}), data: 'x', immutable: 1 },
    ],
  ])('refuses: %s', (message, code, config) => {
    expect(() => apply(undefined, config, 'one')).toThrow(expect.objectContaining({ message, code }));
  });

  it('reports the errors of an invalid live object', () => {
    const live = stored({ ...configMap({}), data: 'x' });
    expect(() => apply(live, configMap({}), 'one')).toThrow(
      'failed to create manager for existing fields: failed to convert new object (default/a; /v1, Kind=ConfigMap) to smd typed: .data: expected map, got &{x}',
    );
    const managed = apply(undefined, configMap({ x: '1' }), 'one');
    expect(() => apply({ ...managed, data: 'x' }, configMap({}), 'one')).toThrow(
      'failed to create typed live object (default/a; /v1, Kind=ConfigMap): .data: expected map, got &{x}',
    );
  });

  it('knows lists of CRDs by their schema', () => {
    const widgets = new FieldManager(
      customKind('example.com/v1', 'Widget', () => ({
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
              parts: {
                type: 'array',
                items: { type: 'object', properties: { id: { type: 'integer' }, size: { type: 'integer' } } },
                'x-kubernetes-list-type': 'map',
                'x-kubernetes-list-map-keys': ['id'],
              },
            },
          },
        },
      })),
    );
    const widget = (spec: JsonObject): JsonObject => ({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      spec,
    });
    const how = (manager: string) => ({ manager, force: false, now: at(0) });
    const one = stored(widgets.apply(undefined, widget({ tags: ['a', 'b'], parts: [{ id: 1, size: 1 }] }), how('one')));
    const two = stored(
      widgets.apply(one, widget({ tags: ['c'], parts: [{ id: 9007199254740993n, size: 2 }] }), how('two')),
    );
    expect(two['spec']).toEqual({
      tags: ['a', 'b', 'c'],
      parts: [
        { id: 1, size: 1 },
        { id: 9007199254740993n, size: 2 },
      ],
    });
    expect(managers(two)[1]!['fieldsV1']).toEqual({
      'f:spec': {
        'f:parts': { 'k:{"id":9007199254740993}': { '.': {}, 'f:id': {}, 'f:size': {} } },
        'f:tags': { 'v:"c"': {} },
      },
    });
    const less = widgets.apply(two, widget({ tags: ['b'] }), how('one'));
    expect(less['spec']).toEqual({ tags: ['b', 'c'], parts: [{ id: 9007199254740993n, size: 2 }] });
  });
});
