import { chmod, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'fleet-folder-'));
});
afterAll(() => rm(root, { recursive: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test('with all that are missing above it, for its owner alone', async () => {
  await makeFolder(join(root, 'a/b/c'));
  for (const path of ['a', 'a/b', 'a/b/c']) expect(await modeOf(join(root, path))).toBe(0o700);
});

test('one that is there stays as it is', async () => {
  await makeFolder(join(root, 'kept'));
  await chmod(join(root, 'kept'), 0o750);
  await Promise.all([makeFolder(join(root, 'kept')), makeFolder(join(root, 'kept'))]);
  expect(await modeOf(join(root, 'kept'))).toBe(0o750);
});

test('many at once make it together', async () => {
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(join(root, 'x/y/z'))));
  expect(await readdir(join(root, 'x/y'))).toEqual(['z']);
});

test('below a file it is refused', async () => {
  await writeFile(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file/below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test('behind a link that leads nowhere it is refused', async () => {
  await symlink(join(root, 'nowhere'), join(root, 'link'));
  await expect(makeFolder(join(root, 'link/below'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test.runIf(process.platform === 'linux')('where the file system has none made it is refused', async () => {
  await expect(makeFolder('/proc/fleet/data')).rejects.toMatchObject({ code: 'ENOENT' });
});
