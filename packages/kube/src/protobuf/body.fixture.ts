/** Builds protobuf bodies by hand, for tests. */

type Bytes = Buffer<ArrayBuffer>;

function varint(value: number | bigint): Bytes {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

const tag = (field: number, wireType: number): Bytes => varint(field * 8 + wireType);

export const number = (field: number, value: number | bigint): Bytes => Buffer.concat([tag(field, 0), varint(value)]);

export function double(field: number, value: number): Bytes {
  const eight = Buffer.alloc(8);
  eight.writeDoubleLE(value);
  return Buffer.concat([tag(field, 1), eight]);
}

export const bytes = (field: number, value: Buffer): Bytes =>
  Buffer.concat([tag(field, 2), varint(value.length), value]);

export const text = (field: number, value: string): Bytes => bytes(field, Buffer.from(value));
export const message = (field: number, ...fields: Buffer[]): Bytes => bytes(field, Buffer.concat(fields));
export const group = (field: number, ...fields: Buffer[]): Bytes =>
  Buffer.concat([tag(field, 3), ...fields, tag(field, 4)]);

/** A whole request body. */
export const body = (apiVersion: string, kind: string, ...fields: Buffer[]): Bytes =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    message(1, text(1, apiVersion), text(2, kind)),
    message(2, ...fields),
    text(3, ''),
    text(4, ''),
  ]);
