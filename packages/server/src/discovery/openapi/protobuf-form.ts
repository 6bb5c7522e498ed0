/**
 * OpenAPI documents in protobuf, the only form of version 2 that client-go accepts.
 *
 * A message is a sequence of fields: tag (number << 3 | wire type), then a varint, 8 or 4 bytes, or a length and that many bytes.
 * A section is a field of the document whose message repeats one field, the entry; an entry's field 1 is its name.
 * A message field that occurs twice is read as one, with its repeated fields joined: so entries are added at the end of the
 * document, and nothing is rewritten.
 */

import type { DocumentForm, Part } from './document-form.ts';

/** By field number: the message repeats entries, or has sections inside. */
export type Layout = Readonly<Record<number, { entries: number } | { inside: Layout }>>;

interface Field {
  number: number;
  start: number;
  /** The offset of its content; for wire type 2 after the length. */
  content: number;
  end: number;
  wireType: number;
}

export const protobufForm = (mediaTypes: DocumentForm['mediaTypes'], layout: Layout): DocumentForm => ({
  name: 'protobuf',
  mediaTypes,
  parts: (document) => partsOf(document, 0, document.length, layout, ''),
  withMore: (document, _, more) =>
    Buffer.concat([document, ...[...more].map(([section, entries]) => asSection(section, entries))]),
});

function* partsOf(bytes: Buffer, from: number, to: number, layout: Layout, around: string): Generator<Part> {
  for (const { number, content, end } of fieldsOf(bytes, from, to)) {
    const rule = layout[number];
    if (!rule) continue;
    const section = `${around}${number}`;
    if ('inside' in rule) yield* partsOf(bytes, content, end, rule.inside, `${section}/`);
    else yield* entriesOf(bytes, content, end, rule.entries, section);
  }
}

function* entriesOf(bytes: Buffer, from: number, to: number, entry: number, section: string): Generator<Part> {
  for (const field of fieldsOf(bytes, from, to)) {
    if (field.number !== entry) continue;
    const name = nameOf(bytes, field);
    yield { is: 'entry', section, name, start: field.start, end: field.end };
  }
}

function nameOf(bytes: Buffer, { content, end }: Field): string {
  for (const field of fieldsOf(bytes, content, end)) {
    if (field.number === 1) return bytes.toString('utf8', field.content, field.end);
  }
  return '';
}

function* fieldsOf(bytes: Buffer, from: number, to: number): Generator<Field> {
  let at = from;
  while (at < to) {
    const start = at;
    const [tag, afterTag] = readVarint(bytes, at, to);
    const wireType = tag & 7;
    const [content, end] = extentOf(bytes, afterTag, to, wireType);
    if (end > to) throw new Error(`a protobuf field at offset ${start} goes beyond its message`);
    yield { number: tag >>> 3, start, content, end, wireType };
    at = end;
  }
}

function extentOf(bytes: Buffer, at: number, to: number, wireType: number): [content: number, end: number] {
  switch (wireType) {
    case 0:
      return [at, readVarint(bytes, at, to)[1]];
    case 1:
      return [at, at + 8];
    case 2: {
      const [length, content] = readVarint(bytes, at, to);
      return [content, content + length];
    }
    case 5:
      return [at, at + 4];
    default:
      throw new Error(`protobuf wire type ${wireType} at offset ${at}`);
  }
}

/** By multiplication, as shifts are limited to 32 bits. */
function readVarint(bytes: Buffer, from: number, to: number): [value: number, after: number] {
  let value = 0;
  let factor = 1;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return [value, at + 1];
    factor *= 128;
  }
  throw new Error(`a protobuf number at offset ${from} does not end`);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 0x80);
  }
}

function asSection(section: string, entries: readonly Buffer[]): Buffer {
  return section
    .split('/')
    .map(Number)
    .reduceRight<Buffer>((content, number) => message(number, content), Buffer.concat(entries));
}

export const message = (number: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(content.length)]), content]);
