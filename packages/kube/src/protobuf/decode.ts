/** Bytes to the values of a message's fields, as the code does it that Kubernetes generates: later ones win, messages merge. */

import { checkQuantity } from './forms.ts';
import type { Field, MessageType } from './schema.ts';
import { goText } from './text.ts';
import { WireError, WireReader } from './wire.ts';

export type Value = string | boolean | number | bigint | Buffer | Message | Value[] | Map<string, Value>;

/** What was there of a message: by the index of its fields. A time that is written as no bytes is zero: `bare`. */
export interface Message {
  type: MessageType;
  values: (Value | undefined)[];
  bare: boolean;
}

export const emptyMessage = (type: MessageType): Message => ({ type, values: [], bare: true });

/** A message that is there, if only by name: a list is then empty, not nil. */
const begun = (type: MessageType): Message => ({ ...emptyMessage(type), values: type.form === 'list' ? [[]] : [] });

/** Deeper than any object; nesting costs a hostile client two bytes a level, and us a stack frame. */
const deepest = 500;

export function decodeMessage(type: MessageType, bytes: Buffer): Message {
  return decodeInto(emptyMessage(type), new WireReader(bytes), 1);
}

function decodeInto(message: Message, reader: WireReader, depth: number): Message {
  if (depth > deepest) throw new WireError('exceeded max depth');
  if (reader.at < reader.end) message.bare = false;
  while (reader.at < reader.end) {
    const start = reader.at;
    const { number, wireType } = reader.checkedTag(message.type.name);
    const field = message.type.field(number);
    if (field) {
      decodeField(message, field, wireType, reader, depth);
      // At once, as Go does: what follows in the message may be at fault, too.
      if (message.type.form === 'quantity') checkQuantity(message);
    } else {
      reader.at = start;
      reader.skip();
    }
  }
  return message;
}

const wireTypes = { s: 2, b: 0, i: 0, l: 0, d: 1, y: 2 } as const;

function decodeField(message: Message, field: Field, wireType: number, reader: WireReader, depth: number): void {
  const { type, holds, index } = field;
  const expected = typeof type === 'string' && holds !== 'map' ? wireTypes[type] : 2;
  const packed = holds === 'list' && expected === 0 && wireType === 2;
  if (wireType !== expected && !packed) {
    throw new WireError(`proto: wrong wireType = ${wireType} for field ${field.goName}`);
  }
  const before = message.values[index];
  if (holds === 'map') {
    const map = before instanceof Map ? before : new Map<string, Value>();
    message.values[index] = map;
    decodeEntry(map, field, reader, depth);
  } else if (holds === 'list') {
    const list = Array.isArray(before) ? before : [];
    const end = packed ? reader.lengthEnd() : reader.at + 1;
    while (reader.at < end) list.push(decodeValue(field, undefined, reader, depth));
    // Only a packed list can be empty, which Go does not tell from none.
    if (list.length > 0) message.values[index] = list;
  } else {
    message.values[index] = decodeValue(field, before, reader, depth);
  }
}

function decodeValue({ type }: Field, before: Value | undefined, reader: WireReader, depth: number): Value {
  switch (type) {
    case 's':
      return goText(taken(reader));
    case 'y':
      return taken(reader);
    case 'b':
      return reader.bool();
    case 'i':
      return reader.int32();
    case 'l':
      return reader.int64();
    case 'd':
      return reader.double();
    default: {
      const end = reader.lengthEnd();
      const inner = reader.within(end);
      reader.at = end;
      const replaced = type.form === 'time' || type.form === 'microTime';
      const into = before === undefined || replaced ? begun(type) : (before as Message);
      return decodeInto(into, inner, depth + 1);
    }
  }
}

function taken(reader: WireReader): Buffer {
  const end = reader.lengthEnd();
  const bytes = reader.bytes.subarray(reader.at, end);
  reader.at = end;
  return bytes;
}

/**
 * A map's entry is a message of key and value. Its end is not their limit, nor their wire type looked at: so it is in Go. What is
 * read beyond it is read again as what follows: altogether not more often than once, or small entries would cost the whole
 * message each (SEC-3).
 */
function decodeEntry(map: Map<string, Value>, field: Field, reader: WireReader, depth: number): void {
  const end = reader.lengthEnd();
  let key = '';
  let value: Value = zeroOfEntry(field);
  while (reader.at < end) {
    const start = reader.at;
    const { number } = reader.tag();
    if (number === 1) {
      key = goText(taken(reader));
    } else if (number === 2) {
      value = decodeValue(field, zeroOfEntry(field), reader, depth);
    } else {
      reader.at = start;
      reader.skip(end);
    }
  }
  reader.passedBy(reader.at - end);
  reader.at = end;
  map.set(key, value);
}

function zeroOfEntry({ type, goName }: Field): Value {
  if (type === 's') return '';
  if (type === 'y') return Buffer.alloc(0);
  if (typeof type === 'string') throw new Error(`${goName} is a map of ${type}, which no kind had`);
  return begun(type);
}
