/** OpenAPI documents in JSON: entries are cut out and inserted as bytes. */

import { isObject, JsonBytesError, skipSpace, skipValue, stringSpan } from '@fleet/kube/json-bytes.ts';
import { closeBrace, colon, comma } from '@fleet/kube/json-signs.ts';
import type { DocumentForm, Part } from './document-form.ts';

/** `isSection`: whether the object at this path (`components/schemas`) holds entries to merge. */
export const jsonForm = (isSection: (path: string) => boolean): DocumentForm => ({
  name: 'json',
  mediaTypes: ['application/json'],
  *parts(document) {
    const start = skipSpace(document, 0);
    if (!isObject(document, start)) throw new JsonBytesError('the document is not an object');
    yield* partsOf(document, start, '', isSection);
  },
  withMore,
});

function* partsOf(
  bytes: Buffer,
  open: number,
  section: string,
  isSection: (path: string) => boolean,
): Generator<Part, number> {
  let at = skipSpace(bytes, open + 1);
  const empty = bytes[at] === closeBrace;
  while (bytes[at] !== closeBrace) {
    const key = stringSpan(bytes, at);
    if (!key) throw new JsonBytesError(`expected a key at offset ${at}`);
    const value = skipSpace(bytes, afterByte(bytes, skipSpace(bytes, key.end + 1), colon));
    const name = bytes.toString('utf8', key.start, key.end);
    const path = section ? `${section}/${name}` : name;
    let end: number;
    if (isSection(path) && isObject(bytes, value)) end = yield* partsOf(bytes, value, path, isSection);
    else {
      end = skipValue(bytes, value);
      yield { is: 'entry', section, name, start: at, end };
    }
    at = skipSpace(bytes, end);
    if (bytes[at] !== closeBrace) at = skipSpace(bytes, afterByte(bytes, at, comma));
  }
  yield { is: 'end', section, at, empty };
  return at + 1;
}

function afterByte(bytes: Buffer, at: number, byte: number): number {
  if (bytes[at] !== byte) throw new JsonBytesError(`expected ${String.fromCharCode(byte)} at offset ${at}`);
  return at + 1;
}

function withMore(document: Buffer, parts: readonly Part[], more: ReadonlyMap<string, readonly Buffer[]>): Buffer {
  const ends = new Map(parts.filter((part) => part.is === 'end').map((end) => [end.section, end]));
  const pending = new Map([...more].map(([section, entries]) => [section, [...entries]]));
  // Innermost first: sections that the document lacks become entries of the section around them.
  for (const depth of [2, 1]) {
    for (const [section, entries] of [...pending]) {
      if (depthOf(section) !== depth || ends.has(section)) continue;
      const around = section.split('/').slice(0, -1).join('/');
      const opening = Buffer.from(`${JSON.stringify(section.split('/').at(-1))}:{`);
      pending.delete(section);
      const beside = pending.get(around) ?? [];
      beside.push(Buffer.concat([opening, joined(entries), closing]));
      pending.set(around, beside);
    }
  }
  const chunks: Buffer[] = [];
  let from = 0;
  for (const { section, at, empty } of [...ends.values()].sort((a, b) => a.at - b.at)) {
    const entries = pending.get(section);
    if (!entries) continue;
    chunks.push(document.subarray(from, at), ...(empty ? [] : [separator]), joined(entries));
    from = at;
  }
  return Buffer.concat([...chunks, document.subarray(from)]);
}

const separator = Buffer.from(',');
const closing = Buffer.from('}');

const depthOf = (section: string): number => (section === '' ? 0 : section.split('/').length);

const joined = (entries: readonly Buffer[]): Buffer =>
  Buffer.concat(entries.flatMap((entry, index) => (index === 0 ? [entry] : [separator, entry])));
