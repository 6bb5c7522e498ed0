/** Arbitrary bytes give an answer or a StatusError, never anything else, and quickly. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StatusError } from '../status.ts';
import { body, bytes, group, message, number, text } from './body.fixture.ts';
import { jsonOfProtobuf } from './json-of-protobuf.ts';
import { knownKinds } from './schema.ts';

/** The error, or undefined if the body could be read; then the result is JSON. */
function outcome(bytesOfBody: Buffer): StatusError | undefined {
  try {
    JSON.parse(jsonOfProtobuf(bytesOfBody).toString());
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(StatusError);
    return error as StatusError;
  }
}

const nested = (depth: number, field: number, innermost: Buffer): Buffer =>
  Array.from({ length: depth }).reduce<Buffer>((inner) => message(field, inner), innermost);

const kinds = knownKinds().map((kind) => kind.split(' ') as [string, string]);

/** Fields that may well be known, with wire types and lengths that may well be wrong. */
const fieldBytes: fc.Arbitrary<Buffer> = fc.letrec<{ field: Buffer }>((tie) => ({
  field: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.tuple(fc.nat(20), fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n)).map(([at, value]) => number(at, value)),
    fc.tuple(fc.nat(20), fc.string()).map(([at, value]) => text(at, value)),
    fc.uint8Array({ maxLength: 12 }).map((value) => Buffer.from(value)),
    fc.tuple(fc.nat(20), fc.array(tie('field'), { maxLength: 4 })).map(([at, inner]) => message(at, ...inner)),
    fc.tuple(fc.nat(20), fc.array(tie('field'), { maxLength: 2 })).map(([at, inner]) => group(at, ...inner)),
  ),
})).field;

describe('LIST-9 ERR-4: hostile protobuf bodies', () => {
  it('any fields in any kind', () => {
    let read = 0;
    const property = fc.property(fc.constantFrom(...kinds), fc.array(fieldBytes, { maxLength: 6 }), (kind, fields) => {
      if (!outcome(body(...kind, ...fields))) read++;
    });
    fc.assert(property, { numRuns: 3_000 });
    // If all were refused, only the first check would have been tested.
    expect(read).toBeGreaterThan(100);
  });

  it('any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (value) => {
        outcome(Buffer.concat([Buffer.from('k8s\0'), value]));
        outcome(Buffer.from(value));
      }),
    );
  });

  it('nesting: as deep as CustomResourceDefinitions go, and no deeper than the stack', () => {
    // Field 28 of a schema is `not`, another schema.
    const definition = (depth: number) => {
      const version = message(7, message(4, message(1, nested(depth, 28, text(5, 'object')))));
      return body('apiextensions.k8s.io/v1', 'CustomResourceDefinition', message(2, version));
    };
    expect(outcome(definition(400))).toBeUndefined();
    expect(outcome(definition(1_000))?.message).toContain('exceeded max depth');
    expect(outcome(definition(5_000))?.message).toContain('exceeded max depth');
  });

  it('groups as deep as there are bytes are counted, not entered', () => {
    const open = Buffer.alloc(500_000, 0x63);
    expect(outcome(body('v1', 'Pod', open, Buffer.alloc(500_000, 0x64)))).toBeUndefined();
    expect(outcome(body('v1', 'Pod', open))?.message).toContain('unexpected EOF');
  });

  it('a small body that would be a large JSON is 413', () => {
    const items = Buffer.alloc(200_000, message(2));
    expect(outcome(body('apps/v1', 'DeploymentList', items))).toMatchObject({ code: 413 });
  });

  it('megabytes of digits, and of bytes that are no text', () => {
    const quota = (quantity: string) =>
      body('v1', 'ResourceQuota', message(2, message(1, message(2, text(1, quantity)))));
    expect(outcome(quota('9'.repeat(3_000_000)))).toMatchObject({ code: 400 });
    expect(outcome(body('v1', 'Pod', message(1, bytes(1, Buffer.alloc(3_000_000, 0xff)))))).toBeUndefined();
  });
});
