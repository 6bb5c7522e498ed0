import { describe, expect, it } from 'vitest';
import { outlineOf } from './outline.ts';

const metadata = { name: 'x', labels: { app: 'web' }, ownerReferences: [{ uid: 'u' }] };
const bytesOf = (object: object): Buffer => Buffer.from(JSON.stringify(object));

describe('LIMIT-3: objects in outline', () => {
  it('are whole where they are small', () => {
    const object = { kind: 'A', metadata: { ...metadata, managedFields: [{ manager: 'm' }] }, spec: { a: [1] } };
    expect(outlineOf(bytesOf(object))).toEqual({ object, leavesOut: [] });
  });

  it('have their metadata and what is small where they are large', () => {
    const managedFields = [{ fieldsV1: { 'f:data': 'x'.repeat(50_000) } }];
    const object = { kind: 'A', type: 'T"é', metadata: { ...metadata, managedFields }, data: ['x'.repeat(50_000)] };
    expect(outlineOf(bytesOf(object))).toEqual({ object: { kind: 'A', type: 'T"é', metadata }, leavesOut: ['data'] });
  });
});
