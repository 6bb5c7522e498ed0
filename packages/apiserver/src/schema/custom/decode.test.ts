import type { JsonObject } from '@fleet/kube/json-value.ts';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../open-api.ts';
import { withDefaults, withoutIdleNulls } from './default.ts';
import { pruneObject } from './prune.ts';

const preserving: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

describe('pruning', () => {
  it.each<[string, Schema, JsonObject, JsonObject, string[]]>([
    ['drops what is not described', { properties: { a: {} } }, { a: 1, b: 2 }, { a: 1 }, ['b']],
    [
      'keeps what every object has',
      {},
      { apiVersion: 'v1', kind: 'K', metadata: { odd: 1 } },
      { apiVersion: 'v1', kind: 'K', metadata: { odd: 1 } },
      [],
    ],
    [
      'goes into lists',
      { properties: { l: { items: { properties: { a: {} } } } } },
      { l: [{ a: 1, b: 2 }] },
      { l: [{ a: 1 }] },
      ['l[0].b'],
    ],
    [
      'goes into maps',
      { properties: { m: { additionalProperties: { properties: { a: {} } } } } },
      { m: { x: { a: 1, b: 2 } } },
      { m: { x: { a: 1 } } },
      ['m.x.b'],
    ],
    [
      'leaves what is to be preserved',
      { properties: { p: preserving } },
      { p: { x: { y: 1 } } },
      { p: { x: { y: 1 } } },
      [],
    ],
    [
      'prunes again below what is described there',
      { properties: { p: { ...preserving, properties: { q: { properties: { a: {} } } } } } },
      { p: { x: 1, q: { a: 1, b: 2 } } },
      { p: { x: 1, q: { a: 1 } } },
      ['p.q.b'],
    ],
    [
      'leaves the kind of embedded objects',
      { properties: { e: { 'x-kubernetes-embedded-resource': true, properties: { spec: preserving } } } },
      { e: { kind: 'Pod', spec: { x: 1 }, other: 1 } },
      { e: { kind: 'Pod', spec: { x: 1 } } },
      ['e.other'],
    ],
    [
      'takes metadata inside for what it is',
      { properties: { a: { properties: {} } } },
      { a: { metadata: {} } },
      { a: {} },
      ['a.metadata'],
    ],
  ])('%s', (_what, schema, object, value, unknown) => {
    expect(pruneObject(object, schema)).toEqual({ value, unknown });
  });
});

describe('defaults', () => {
  const schema: Schema = {
    properties: {
      a: { default: 1 },
      o: { default: {}, properties: { x: { default: 'x' }, y: {} } },
      l: { items: { properties: { on: { default: true } } } },
      m: { additionalProperties: { properties: { z: { default: 0 } } } },
      n: { nullable: true, default: 5 },
      none: {},
    },
  };

  it('fill in what is not there, at any depth', () => {
    expect(withDefaults({ l: [{}, { on: false }], m: { k: {} } }, schema)).toEqual({
      a: 1,
      o: { x: 'x' },
      l: [{ on: true }, { on: false }],
      m: { k: { z: 0 } },
      n: 5,
    });
  });

  it('take null for nothing, unless it may stand there', () => {
    expect(withDefaults(withoutIdleNulls({ a: null, n: null, none: null, o: { y: null } }, schema), schema)).toEqual({
      a: 1,
      n: null,
      o: { x: 'x' },
    });
  });

  it('are copies', () => {
    const once = withDefaults({}, schema) as JsonObject;
    (once['o'] as JsonObject)['x'] = 'changed';
    expect(withDefaults({}, schema)).toMatchObject({ o: { x: 'x' } });
  });
});
