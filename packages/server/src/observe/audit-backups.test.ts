import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeOldest, renameFull } from './audit-backups.ts';

it('AUDIT-1: full logs have the time in their names, and only the newest are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-backups-'));
  const path = join(folder, 'audit.log');
  for (const name of ['audit-notes.log', 'audit-2026-01-31T10-00-00.000.txt', 'other.log']) {
    await writeFile(join(folder, name), '');
  }
  for (const day of [3, 1, 2]) {
    await writeFile(path, String(day));
    await renameFull(path, Date.UTC(2026, 0, day, 10));
  }
  await removeOldest(path, 0);
  expect(await readdir(folder)).toHaveLength(6);
  await removeOldest(path, 2);
  expect((await readdir(folder)).sort()).toEqual([
    'audit-2026-01-02T10-00-00.000.log',
    'audit-2026-01-03T10-00-00.000.log',
    'audit-2026-01-31T10-00-00.000.txt',
    'audit-notes.log',
    'other.log',
  ]);
});
