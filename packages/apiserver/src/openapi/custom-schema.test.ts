import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema/open-api.ts';
import { publishedObject } from './custom-schema.ts';

const spec = (schema: Schema): Schema => ({ type: 'object', properties: { spec: schema } });
const specOf = async (schema: Schema, version: 2 | 3): Promise<Schema> =>
  (await publishedObject(spec(schema), version)).properties!['spec']!;

describe('COMPAT-4: schemas of custom kinds are published as kube-apiserver does', () => {
  it('with what every object has', async () => {
    const { properties } = await publishedObject(spec({ type: 'object', description: 'The desired state.' }), 3);
    expect(properties).toMatchObject({
      apiVersion: { type: 'string', description: expect.stringContaining('APIVersion defines') },
      kind: { type: 'string' },
      metadata: { description: expect.stringContaining("Standard object's metadata") },
      spec: { type: 'object', description: 'The desired state.' },
    });
  });

  it('objects inside have a kind and metadata, too', async () => {
    const embedded: Schema = { type: 'object', 'x-kubernetes-embedded-resource': true };
    for (const version of [2, 3] as const) {
      const { properties, required } = await specOf(embedded, version);
      expect(Object.keys(properties!)).toEqual(['apiVersion', 'kind', 'metadata']);
      expect(required).toEqual(['kind', 'apiVersion']);
    }
  });

  it('in version 2 those that take anything name no fields, as kubectl would refuse all others', async () => {
    const open: Schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
    expect(await specOf(open, 2)).toEqual({
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    });
    expect(Object.keys((await specOf(open, 3)).properties!)).toEqual(['a', 'apiVersion', 'kind', 'metadata']);
    expect(await publishedObject({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, 2)).toEqual({
      type: 'object',
    });
  });

  it('version 2 knows neither null nor alternatives', async () => {
    const nullable: Schema = { type: 'string', nullable: true };
    const schema: Schema = {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: nullable, b: { type: 'array', items: { type: 'string', anyOf: [{ format: 'date' }] } } },
    };
    expect(await specOf(schema, 2)).toEqual({
      type: 'object',
      required: ['b'],
      properties: { a: {}, b: { type: 'array', items: { type: 'string' } } },
    });
    expect(await specOf(schema, 3)).toEqual(schema);
  });

  it('version 3 has the format of numbers and texts', async () => {
    const port: Schema = { 'x-kubernetes-int-or-string': true };
    const both = [{ type: 'integer' }, { type: 'string' }];
    expect(await specOf(port, 3)).toEqual({ ...port, anyOf: both });
    expect(await specOf({ ...port, anyOf: both as Schema[] }, 3)).toEqual({ ...port, anyOf: both });
    expect(await specOf({ ...port, anyOf: [{ pattern: 'a' }] }, 3)).toEqual({
      ...port,
      anyOf: [{ pattern: 'a' }],
      allOf: [{ anyOf: both }],
    });
    expect(await specOf(port, 2)).toEqual(port);
  });
});
