import { existsSync } from 'node:fs';
import { chmod, chown, lchown, mkdir, mkdtemp, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDirectory, shellFolder } from './directory.ts';

const state = { clusters: 5, pods: 100, filled: 100, seed: 3, listen: '127.0.0.1:8443', opened: 5, joined: 5 };

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-kept-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('a temporary folder goes with the demo', async () => {
  const directory = await openDirectory(undefined);
  await directory.keep(state);
  expect(existsSync(directory.path)).toBe(true);
  expect(directory.memberDirectory('tokyo')).toBeUndefined();
  await directory[Symbol.asyncDispose]();
  expect(existsSync(directory.path)).toBe(false);
});

test('it goes when the process is ended at once, too', async () => {
  await using directory = await openDirectory(undefined);
  process.emit('exit', 1);
  expect(existsSync(directory.path)).toBe(false);
});

test('one that is kept knows the next time what it was', async () => {
  const folder = await newFolder();
  await using first = await openDirectory(join(folder, 'demo'));
  expect(first.kept).toBeUndefined();
  await first.keep(state);
  await first[Symbol.asyncDispose]();
  await using second = await openDirectory(join(folder, 'demo'));
  expect(second.kept).toEqual(state);
  expect(second.memberDirectory('tokyo')).toBe(join(folder, 'demo', 'members', 'tokyo'));
});

test('a folder that is kept is for its owner alone', async () => {
  const folder = await newFolder();
  await chmod(folder, 0o777);
  await using _ = await openDirectory(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('what is no folder of a demo is left as it is', async () => {
  const folder = await newFolder();
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'letter'), '');
  await expect(openDirectory(folder)).rejects.toThrow('holds something else than a demo');
  expect((await stat(folder)).mode & 0o777).toBe(0o755);
});

test.runIf(process.getuid?.() === 0)('nor is one of another user, or behind a link of another user', async () => {
  const folder = await newFolder();
  await mkdir(join(folder, 'theirs'));
  await chown(join(folder, 'theirs'), 12345, 12345);
  await mkdir(join(folder, 'ours'));
  await symlink(join(folder, 'ours'), join(folder, 'link'));
  await lchown(join(folder, 'link'), 12345, 12345);
  for (const name of ['theirs', 'link'])
    await expect(openDirectory(join(folder, name))).rejects.toThrow('belongs to another user');
});

test('a path that PATH cannot hold is refused', async () => {
  await expect(openDirectory(join(tmpdir(), 'a:b'))).rejects.toThrow('":" in its path');
});

test('a state that cannot be read is no new demo', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'demo.json'), '{');
  await expect(openDirectory(folder)).rejects.toThrow('demo.json cannot be read');
});

test('the folder for the PATH is made anew: another Node may run it this time', async () => {
  await using directory = await openDirectory(undefined);
  await shellFolder(directory.path);
  const folder = await shellFolder(directory.path);
  expect(await readlink(join(folder, 'node'))).toBe(process.execPath);
  expect(existsSync(join(folder, 'fleet'))).toBe(true);
});
