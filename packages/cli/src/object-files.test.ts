import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readObject, readObjects } from './object-files.ts';

let path: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-files-'));
  path = join(folder, 'objects.yaml');
  onTestFinished(() => rm(folder, { recursive: true }));
});

async function namesIn(text: string): Promise<string[]> {
  await writeFile(path, text);
  return (await readObjects(path)).map(({ metadata }) => metadata.name);
}

const object = (name: string, more = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`;

test.each<[string, string, string[]]>([
  ['one', object('a'), ['a']],
  ['several', `${object('a')}---\n${object('b')}`, ['a', 'b']],
  [
    'comments, and documents without anything',
    `# first\n---\n---\n# x\n${object('a')}...\n---\n${object('b')}---\n`,
    ['a', 'b'],
  ],
  ['a Windows file', object('a').replaceAll('\n', '\r\n'), ['a']],
  ['JSON', JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }), ['a']],
  ['a List', `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: a}}\n`, ['a']],
  ['nothing', '', []],
  ['dashes in text', object('a', 'data:\n  x: |\n    one\n    --- two\n'), ['a']],
])('%s', async (_what, text, names) => {
  expect(await namesIn(text)).toEqual(names);
});

test('scalars are those of Kubernetes: yes is true, times and quoted words are text', async () => {
  await writeFile(path, object('a', 'data: { a: yes, b: "yes", c: 2026-01-02T03:04:05Z, d: 0o17 }\n'));
  expect((await readObject(path))['data']).toEqual({ a: true, b: 'yes', c: '2026-01-02T03:04:05Z', d: 15 });
});

test.each<[string, string]>([
  ['{ a: [', 'objects.yaml'],
  ['a: 1', 'is no object'],
  ['- x', 'is no object'],
  ['kind: List\nitems: [1]', 'is no object'],
])('%j is refused', async (text, message) => {
  await expect(namesIn(text)).rejects.toThrow(message);
});

test('one object is asked for', async () => {
  await writeFile(path, `${object('a')}---\n${object('b')}`);
  await expect(readObject(path)).rejects.toThrow('has 2 objects, and must have one');
  await writeFile(path, '');
  await expect(readObject(path)).rejects.toThrow('has no objects');
});
