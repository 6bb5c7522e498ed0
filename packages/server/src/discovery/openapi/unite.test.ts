import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentForm } from './document-form.ts';
import { message } from './protobuf-form.ts';
import { uniteDocuments } from './unite.ts';
import { openApiV2, openApiV3 } from './versions.ts';

async function unite(form: DocumentForm, documents: readonly Buffer[]) {
  const broken: string[] = [];
  const sources = async function* () {
    for (const [index, bytes] of documents.entries()) yield { name: `m${index + 1}`, bytes };
  };
  const bytes = await uniteDocuments(form, sources(), (name) => broken.push(name));
  return { bytes, broken };
}

type Sections = Record<string, Record<string, unknown>>;

/** Of each section, the first document's entry of a name counts. */
function expected(documents: readonly Sections[]): Sections {
  const all: Sections = {};
  for (const document of documents.toReversed()) {
    for (const [section, entries] of Object.entries(document)) all[section] = { ...all[section], ...entries };
  }
  return all;
}

/** As it comes back from JSON, which knows no -0. */
const jsonValue = fc.jsonValue({ maxDepth: 2 }).map((one): unknown => JSON.parse(JSON.stringify(one)));
const value = fc.oneof(fc.string(), fc.integer(), fc.constant({ $ref: '#/x"}{' }), jsonValue);
const name = fc.constantFrom('/api/v1', 'io.k8s.Pod', 'Ü', 'a b', 'x{y}');
const entries = fc.dictionary(name, value);
const sectionsOf = (...names: string[]) =>
  fc.record(Object.fromEntries(names.map((section) => [section, entries])), {
    requiredKeys: [],
  }) as fc.Arbitrary<Sections>;
const spacing = fc.constantFrom(undefined, 2);
const atLeastOne = { minLength: 1, maxLength: 4 };

describe('DISC-2: documents in JSON', () => {
  const [v2] = openApiV2.forms;
  const [v3] = openApiV3.forms;

  it('v2: all paths and definitions, the first document’s where names are the same', async () => {
    const document = fc.tuple(sectionsOf('paths', 'definitions', 'parameters', 'securityDefinitions'), spacing);
    await fc.assert(
      fc.asyncProperty(fc.array(document, atLeastOne), async (documents) => {
        const bytes = documents.map(([sections, space], index) =>
          Buffer.from(JSON.stringify({ swagger: '2.0', info: { title: `${index}` }, ...sections }, null, space)),
        );
        const united = JSON.parse(String((await unite(v2, bytes)).bytes));
        const { swagger, info, ...sections } = united;
        expect({ swagger, info }).toEqual({ swagger: '2.0', info: { title: '0' } });
        expect(withoutEmpty(sections)).toEqual(withoutEmpty(expected(documents.map(([own]) => own))));
      }),
    );
  });

  it('v3: all paths and components of every kind, with and without `components` in the first', async () => {
    const document = fc.record(
      { paths: entries, components: sectionsOf('schemas', 'securitySchemes', 'parameters') },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(document, atLeastOne), async (documents) => {
        const bytes = documents.map((one) => Buffer.from(JSON.stringify({ openapi: '3.0.0', ...one })));
        const united = JSON.parse(String((await unite(v3, bytes)).bytes));
        expect(united.openapi).toBe('3.0.0');
        expect(united.paths ?? {}).toEqual(expected(documents.map(({ paths = {} }) => ({ paths }))).paths);
        const components = expected(documents.map((one) => one.components ?? {}));
        expect(withoutEmpty(united.components ?? {})).toEqual(withoutEmpty(components));
      }),
    );
  });

  it('one document, or several equal ones, passes unchanged', async () => {
    const bytes = Buffer.from('{ "paths" : {"/a":{}} ,"definitions":{"x":1}}\n');
    expect((await unite(v2, [bytes])).bytes).toBe(bytes);
    expect((await unite(v2, [bytes, Buffer.from(bytes)])).bytes).toBe(bytes);
  });

  it('LIMIT-3: the event loop turns meanwhile', async () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`d${i}`, { text: 'x'.repeat(500) }]),
    );
    const bytes = Buffer.from(JSON.stringify({ definitions }));
    let turns = 0;
    let done = false;
    const turn = () => {
      turns++;
      if (!done) setImmediate(turn);
    };
    setImmediate(turn);
    await unite(v2, [bytes, Buffer.from(bytes)]);
    done = true;
    expect(turns).toBeGreaterThan(2);
  });

  it('a document that cannot be read is left out, and logged', async () => {
    const documents = ['<html>', '{"paths":{"/a":{}}}', '{"paths":{"/b":{"get', '{"paths":{"/c":{}}}'].map((one) =>
      Buffer.from(one),
    );
    const { bytes, broken } = await unite(v2, documents);
    expect(JSON.parse(String(bytes))).toEqual({ paths: { '/a': {}, '/c': {} } });
    expect(broken).toEqual(['m1', 'm3']);
    expect((await unite(v2, [documents[0]!])).bytes).toBeUndefined();
  });
});

const withoutEmpty = (sections: Sections): Sections =>
  Object.fromEntries(Object.entries(sections).filter(([, own]) => Object.keys(own).length > 0));

describe('DISC-2: documents in protobuf, which client-go asks for', () => {
  const protobuf = openApiV2.forms[1]!;
  const text = (number: number, content: string) => message(number, Buffer.from(content));
  const entry = (number: number, key: string, content: string) =>
    message(number, Buffer.concat([text(1, key), text(2, content)]));
  const documentOf = (paths: Record<string, string>, definitions: Record<string, string>) =>
    Buffer.concat([
      text(1, '2.0'),
      message(8, Buffer.concat([text(1, 'x-vendor'), ...Object.entries(paths).map((one) => entry(2, ...one))])),
      message(9, Buffer.concat(Object.entries(definitions).map((one) => entry(1, ...one)))),
    ]);

  it('more entries stand in fields of their own at the end, which a reader joins', async () => {
    const first = documentOf({ '/a': 'one' }, { Pod: 'new', Node: 'n'.repeat(300) });
    const second = documentOf({ '/a': 'two', '/b': 'two' }, { Pod: 'old', Widget: 'w'.repeat(40_000) });
    const { bytes } = await unite(protobuf, [first, second]);
    expect(bytes).toEqual(
      Buffer.concat([first, message(8, entry(2, '/b', 'two')), message(9, entry(1, 'Widget', 'w'.repeat(40_000)))]),
    );
  });

  it('v3 has its schemas one message deeper', async () => {
    const form = openApiV3.forms[1]!;
    const schemas = (...keys: string[]) => message(5, message(1, Buffer.concat(keys.map((key) => entry(1, key, 'x')))));
    const { bytes } = await unite(form, [schemas('A'), schemas('A', 'B')]);
    expect(bytes).toEqual(Buffer.concat([schemas('A'), schemas('B')]));
  });

  it('a document that ends too early is left out', async () => {
    const whole = documentOf({ '/a': 'one' }, {});
    const { bytes, broken } = await unite(protobuf, [whole, documentOf({ '/b': 'two' }, {}).subarray(0, -9)]);
    expect(bytes).toBe(whole);
    expect(broken).toEqual(['m2']);
  });
});
