import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The code that runs inside simulated pods, whatever a client sends. */
const folders = ['shell', 'logs', 'pods', 'web', 'metrics'].map((name) => join(import.meta.dirname, '..', name));

const allowed = [/^\.{1,2}\//, /^@fleet\//, 'node:http', 'node:stream'];

const sources = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name)),
);

test.each(sources)('%s reaches nothing of the host', (path) => {
  const text = readFileSync(path, 'utf8');
  const imported = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, from]) => from!);
  const others = imported.filter(
    (from) => !allowed.some((one) => (typeof one === 'string' ? one === from : one.test(from))),
  );
  expect(others).toEqual([]);
  expect(text).not.toMatch(/\bprocess\.(?:env|binding|getBuiltinModule)\b|\beval\(|new Function\(|\brequire\(/);
});
