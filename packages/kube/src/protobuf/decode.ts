/** Decodes bytes to the values of a message's fields, as Kubernetes' generated code does: the last value wins, messages merge. */

import { checkQuantity } from './forms.ts';
import type { Field, MessageType } from './schema.ts';
import { goText } from './text.ts';
import { WireError, WireReader } from './wire.ts';

export type Value = string | boolean | number | bigint | Buffer | Message | Value[] | Map<string, Value>;

/** A decoded message: its values by the index of their fields. `bare`: it had no bytes, which is the zero time. */
export interface Message {
  type: MessageType;
  values: (Value | undefined)[];
  bare: boolean;
}

export const emptyMessage = (type: MessageType): Message => ({ type, values: [], bare: true });

/** A message that is present but empty: its list is then empty, not nil. */
const presentMessage = (type: MessageType): Message => ({
  ...emptyMessage(type),
  values: type.form === 'list' ? [[]] : [],
});

/** Deeper than any real object; each level costs a hostile client two bytes, and the server a stack frame. */
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
      // Checked now, as Go does: an error later in the message must not come first.
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
    // Only a packed list can be empty, which Go treats like an absent one.
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
      const into = before === undefined || replaced ? presentMessage(type) : (before as Message);
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
 * A map's entry is a message of key and value. As in Go, they may extend beyond the entry's end, and their wire types are not
 * checked. Bytes read beyond the end are decoded again as the next fields: in total at most once, or small entries would
 * each cost the whole message (SEC-3).
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
  if (typeof type === 'string') throw new Error(`${goName} is a map of ${type}, which is not supported`);
  return presentMessage(type);
}
