/** The Containerfile by its text, where nothing builds it: what it copies is there, and it fetches nothing but its base. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const home = '/opt/fleet/';

/** In the order of the file, without comments. */
const instructions = readFileSync(join(root, 'Containerfile'), 'utf8')
  .replaceAll(/^#.*$/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    return { name, rest };
  });

const all = (instruction: string): string[] =>
  instructions.filter(({ name }) => name === instruction).map(({ rest }) => rest);
const words = (name: string): string[][] => all(name).map((rest) => JSON.parse(rest) as string[]);

test('every line is an instruction, and the base image an argument without a default', () => {
  const known = ['ARG', 'FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'ENTRYPOINT', 'CMD'];
  expect(instructions.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  expect([all('ARG'), all('FROM')]).toEqual([['BASE'], ['$BASE']]);
});

test('what it copies is in the repository and not left out by .dockerignore, and what it runs is in what it copies', () => {
  const copied = all('COPY').flatMap((rest) => rest.split(' ').slice(0, -1));
  const included = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  expect(copied.filter((path) => !existsSync(join(root, path)) || !included.includes(`!${path}`))).toEqual([]);
  const files = [...words('RUN'), ...words('ENTRYPOINT')].flat().filter((word) => word.startsWith('/'));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const path = file.slice(home.length);
    expect(copied).toContain(path.split('/')[0]);
    expect(existsSync(join(root, path))).toBe(true);
  }
});

test('it runs nothing but the command, without a shell, and as nobody', () => {
  expect(words('RUN').map(([program]) => program)).toEqual([`${home}node_modules/.bin/node`]);
  expect(all('USER')).toEqual(['65532:65532']);
});
