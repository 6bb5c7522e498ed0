/** Writes a message as the JSON that Go makes of the struct: which fields are omitted, null, or inlined. */

import { StatusError } from '../status.ts';
import { emptyMessage, type Message, type Value } from './decode.ts';
import { doubleJson, intOrStringJson, microTimeJson, quantityJson, rawJson, timeJson } from './forms.ts';
import type { Field, Form, MessageType, Scalar } from './schema.ts';

/** Two bytes of protobuf may become hundreds of JSON; no server accepts a body as large as this. */
const longest = 8 * 2 ** 20;

export class JsonWriter {
  readonly #parts: string[] = [];
  #length = 0;

  toBuffer(): Buffer {
    return Buffer.from(this.#parts.join(''));
  }

  /** An object: the texts of `first`, then the message's fields. */
  object(message: Message, first: Readonly<Record<string, string>> = {}): void {
    const members = Object.entries(first).map(([name, text]) => `${JSON.stringify(name)}:${JSON.stringify(text)}`);
    this.#write(`{${members.join(',')}`);
    this.#members(message, members.length === 0);
    this.#write('}');
  }

  #write(text: string): void {
    this.#length += text.length;
    if (this.#length > longest) {
      throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${longest}`);
    }
    this.#parts.push(text);
  }

  /** Returns whether the next member would still be the first. */
  #members(message: Message, first: boolean): boolean {
    let isFirst = first;
    for (const field of message.type.fields) {
      const value = message.values[field.index];
      if (field.jsonName === '') {
        if (value !== undefined || field.holds === 'one') isFirst = this.#members(messageOf(field, value), isFirst);
      } else if (!isLeftOut(field, value)) {
        this.#write(`${isFirst ? '' : ','}${JSON.stringify(field.jsonName)}:`);
        this.#value(field, value);
        isFirst = false;
      }
    }
    return isFirst;
  }

  #value(field: Field, value: Value | undefined): void {
    if (value === undefined && field.holds !== 'one') this.#write('null');
    else if (value instanceof Map) this.#map(field, value);
    else if (Array.isArray(value)) this.#list(field, value);
    else this.#single(field, value);
  }

  #map(field: Field, map: ReadonlyMap<string, Value>): void {
    let before = '{';
    for (const [key, value] of map) {
      this.#write(`${before}${JSON.stringify(key)}:`);
      this.#single(field, value);
      before = ',';
    }
    // A map that is present has an entry.
    this.#write('}');
  }

  #list(field: Field, list: readonly Value[]): void {
    this.#write('[');
    for (const [index, value] of list.entries()) {
      if (index > 0) this.#write(',');
      this.#single(field, value);
    }
    this.#write(']');
  }

  #single(field: Field, value: Value | undefined): void {
    if (typeof field.type === 'string') this.#write(scalarJson(field.type, value));
    else this.#message(messageOf(field, value));
  }

  #message(message: Message): void {
    const { form } = message.type;
    if (form === 'object') this.object(message);
    else if (form in texts) this.#write(texts[form as TextForm](message));
    else this.#firstOf(message, standIns[form as StandInForm]);
  }

  /** The first field that is set is the value of the whole message. */
  #firstOf({ type, values }: Message, order: readonly number[]): void {
    const index = order.find((candidate) => values[candidate] !== undefined);
    if (index !== undefined) this.#value(type.fields[index]!, values[index]);
    else this.#write(type.form === 'schemaOrBool' ? 'false' : 'null');
  }
}

type StandInForm = 'list' | 'schemaOrBool' | 'schemaOrArray' | 'schemaOrStrings';
type TextForm = Exclude<Form, 'object' | StandInForm>;

const texts: Readonly<Record<TextForm, (message: Message) => string>> = {
  time: timeJson,
  microTime: microTimeJson,
  quantity: quantityJson,
  intOrString: intOrStringJson,
  raw: rawJson,
  rawExtension: rawJson,
};

/** The fields that may be the value of the message, by index. */
const standIns: Readonly<Record<StandInForm, readonly number[]>> = {
  list: [0],
  schemaOrBool: [1, 0],
  schemaOrArray: [1, 0],
  schemaOrStrings: [1, 0],
};

const messageOf = (field: Field, value: Value | undefined): Message =>
  (value as Message | undefined) ?? emptyMessage(field.type as MessageType);

function scalarJson(type: Scalar, value: Value | undefined): string {
  switch (type) {
    case 's':
      return JSON.stringify(value ?? '');
    case 'y':
      return value === undefined ? 'null' : `"${(value as Buffer).toString('base64')}"`;
    case 'b':
      return String(value ?? false);
    case 'd':
      return doubleJson((value as number | undefined) ?? 0);
    case 'i':
    case 'l':
      return String(value ?? 0);
    default:
      return type satisfies never;
  }
}

function isLeftOut({ omit, holds, type }: Field, value: Value | undefined): boolean {
  if (omit === 'never') return false;
  if (omit === 'zero') return value === undefined || timeJson(value as Message) === 'null';
  if (value === undefined) return true;
  if (holds !== 'one') return false;
  if (type === 'y') return (value as Buffer).length === 0;
  // A list that is a message of its own.
  if (typeof type !== 'string') return (value as Message).values.every((list) => (list as Value[]).length === 0);
  return !value;
}
