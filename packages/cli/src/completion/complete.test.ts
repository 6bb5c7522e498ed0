import { describe, expect, test } from 'vitest';
import { createProgram } from '../program.ts';
import { complete } from './complete.ts';

const at = (...words: string[]) => complete(createProgram(), words);
const wordsAt = (...words: string[]) => {
  const found = at(...words);
  if (found.kind !== 'words') throw new Error(found.kind);
  return found.candidates.map(({ word }) => word);
};

describe('what can stand where the cursor is', () => {
  test('commands, those below them, and help of all', () => {
    expect(wordsAt('')).toEqual(expect.arrayContaining(['demo', 'serve', 'join', 'get', 'help']));
    expect(wordsAt('un')).toEqual(expect.arrayContaining(['unjoin', 'uncordon']));
    expect(wordsAt('un').every((word) => word.startsWith('un'))).toBe(true);
    expect(wordsAt('describe', '')).toEqual(expect.arrayContaining(['cluster', 'agent', 'registry']));
    expect(wordsAt('agent', 'token', 'r')).toEqual(['rotate']);
    expect(wordsAt('')).not.toContain('__complete');
  });

  test('flags of the command, whatever stands before', () => {
    expect(wordsAt('get', 'pods', '--no')).toEqual(['--no-headers']);
    expect(wordsAt('get', '-n', 'shop', 'pods', '--sel')).toEqual(['--selector']);
    expect(wordsAt('serve', '--shutdown-')).toEqual(['--shutdown-delay', '--shutdown-grace']);
    expect(wordsAt('get', '--')).toContain('--help');
  });

  test('values of flags: choices, true and false, files and folders', () => {
    expect(wordsAt('get', 'pods', '-o', '')).toEqual(['wide', 'json', 'yaml', 'name', 'jsonpath=TEMPLATE']);
    expect(wordsAt('get', '--output=j')).toEqual(['--output=json', '--output=jsonpath=TEMPLATE']);
    expect(wordsAt('join', 'x', '--wait', '')).toEqual(['true', 'false']);
    expect(at('join', 'x', '--kubeconfig', '')).toEqual({ kind: 'files' });
    expect(at('serve', '--data-dir', '/v')).toEqual({ kind: 'folders' });
    expect(wordsAt('logs', 'x', '--tail', '')).toEqual([]);
  });

  test('as bash splits words: an equals sign is one of them', () => {
    expect(wordsAt('get', '--output', '=')).toEqual(['wide', 'json', 'yaml', 'name', 'jsonpath=TEMPLATE']);
    expect(wordsAt('get', '--output', '=', 'w')).toEqual(['wide']);
    expect(wordsAt('get', '--output', '=', 'wide', 'node')).toEqual(['nodes']);
  });

  test.each([
    [['unjoin', '']],
    [['describe', 'cluster', 'm']],
    [['cordon', '--fleet-kubeconfig', 'x', '']],
    [['agent', 'token', 'rotate', '']],
    [['get', 'clusters', 'a', '']],
  ])('names of members: %j', (words) => {
    expect(at(...words)).toEqual({ kind: 'clusters', others: [], current: words.at(-1), prefix: '' });
  });

  test('other places have URLs, too', () => {
    expect(at('use', 'a')).toEqual({ kind: 'clusters', others: ['karmada', 'all'], current: 'a', prefix: '' });
    expect(at('kubeconfig', '--cluster=t')).toMatchObject({ others: ['karmada', 'all'], prefix: '--cluster=' });
  });

  test('what has no list: a new name, a command in a container', () => {
    expect(wordsAt('join', '')).toEqual([]);
    expect(wordsAt('exec', 'x', '--', 'l')).toEqual([]);
    expect(wordsAt('exec', 'x', '--', '-')).toEqual([]);
    expect(wordsAt('get', 'pods', '')).toEqual([]);
  });
});
