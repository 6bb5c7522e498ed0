import { existsSync } from 'node:fs';
import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDirectory, shellFolder } from './directory.ts';

test('a temporary folder goes with the demo', async () => {
  const directory = await openDirectory(undefined);
  await directory.keep({ clusters: 3, pods: 0, seed: 1, listen: '' });
  expect(existsSync(directory.path)).toBe(true);
  expect(directory.memberDirectory('tokyo')).toBeUndefined();
  await directory[Symbol.asyncDispose]();
  expect(existsSync(directory.path)).toBe(false);
});

test('one that is kept knows the next time what it was', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-kept-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const state = { clusters: 5, pods: 100, seed: 3, listen: '127.0.0.1:8443' };
  await using first = await openDirectory(join(folder, 'demo'));
  expect(first.kept).toBeUndefined();
  await first.keep(state);
  await first[Symbol.asyncDispose]();
  await using second = await openDirectory(join(folder, 'demo'));
  expect(second.kept).toEqual(state);
  expect(second.memberDirectory('tokyo')).toBe(join(folder, 'demo', 'members', 'tokyo'));
});

test('the folder for the PATH is made anew: another Node may run it this time', async () => {
  await using directory = await openDirectory(undefined);
  await shellFolder(directory.path);
  const folder = await shellFolder(directory.path);
  expect(await readlink(join(folder, 'node'))).toBe(process.execPath);
  expect(existsSync(join(folder, 'fleet'))).toBe(true);
});
