/** Decodes a large object in slices, between which the event loop runs (LIMIT-3). */

import { Pace } from '@fleet/client/pace.ts';
import { isArray, isObject, type Span } from '@fleet/kube/json-bytes.ts';
import { type JsonObject, type JsonValue, parseJson, setField } from '@fleet/kube/json-value.ts';
import type { KubeObject } from './kube-object.ts';
import { LargeText, small } from './large-text.ts';

export async function readInSlices(value: Uint8Array): Promise<KubeObject> {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length <= small) return parseJson(bytes.toString()) as unknown as KubeObject;
  const pace = new Pace();
  const text = await LargeText.walked(bytes, pace);
  const object = await readValue(text, { start: 0, end: bytes.length }, pace);
  await pace.rest();
  return object as unknown as KubeObject;
}

/** The depth of stored objects is limited; only long numbers need care. */
const parse = (text: string): JsonValue => (/\d{16}/.test(text) ? parseJson(text) : (JSON.parse(text) as JsonValue));

async function readValue(text: LargeText, { start, end }: Span, pace: Pace): Promise<JsonValue> {
  if (pace.isDue) await pace.rest();
  if (end - start > small && isObject(text.bytes, start)) return readObject(text, start, pace);
  if (end - start > small && isArray(text.bytes, start)) return readArray(text, start, pace);
  return parse(text.bytes.toString('utf8', start, end));
}

async function readObject(text: LargeText, at: number, pace: Pace): Promise<JsonObject> {
  const pieces = new Pieces();
  text.eachMember(at, (key, value) => pieces.add(key.start - 1, value, key));
  const object: JsonObject = {};
  for (const { name, ...span } of pieces.all) {
    if (name) {
      setField(object, nameIn(text.bytes, name), await readValue(text, span, pace));
      continue;
    }
    if (pace.isDue) await pace.rest();
    const some = parse(`{${text.bytes.toString('utf8', span.start, span.end)}}`) as JsonObject;
    for (const [key, one] of Object.entries(some)) setField(object, key, one);
  }
  return object;
}

async function readArray(text: LargeText, at: number, pace: Pace): Promise<JsonValue[]> {
  const pieces = new Pieces();
  text.eachElement(at, (value) => pieces.add(value.start, value, value));
  const array: JsonValue[] = [];
  for (const { name, ...span } of pieces.all) {
    if (name) {
      array.push(await readValue(text, span, pace));
      continue;
    }
    if (pace.isDue) await pace.rest();
    for (const one of parse(`[${text.bytes.toString('utf8', span.start, span.end)}]`) as JsonValue[]) array.push(one);
  }
  return array;
}

const nameIn = (bytes: Buffer, { start, end }: Span): string =>
  JSON.parse(bytes.toString('utf8', start - 1, end + 1)) as string;

/** Groups neighbours up to a slice's size; a larger value is a piece of its own, with a name. */
class Pieces {
  readonly all: (Span & { name?: Span })[] = [];
  #last: Span | undefined;

  add(start: number, value: Span, name: Span): void {
    if (value.end - value.start > small) {
      this.all.push({ ...value, name });
      this.#last = undefined;
    } else if (this.#last && value.end - this.#last.start <= small) this.#last.end = value.end;
    else {
      this.#last = { start, end: value.end };
      this.all.push(this.#last);
    }
  }
}
