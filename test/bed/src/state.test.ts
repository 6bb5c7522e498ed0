import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BedState, type MemberRecord } from './state.ts';

it('keeps members in order, and leaves nothing when the last is removed', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'bed-state-'));
  const folder = join(parent, 'bed');
  const state = new BedState(folder);
  expect(await state.members()).toEqual([]);
  const records = ['member1', 'member2'].map(
    (name): MemberRecord => ({ name, version: 'v1.36.3', run: randomUUID(), dir: state.memberFolder(name) }),
  );
  for (const record of records) {
    await state.keep(record);
    await mkdir(record.dir);
    await writeFile(join(record.dir, 'file'), '');
  }
  expect(await state.members()).toEqual(records);
  await state.remove(records[0] as MemberRecord);
  expect(await state.members()).toEqual(records.slice(1));
  await state.remove(records[1] as MemberRecord);
  expect(existsSync(folder)).toBe(false);
  await rmdir(parent);
});
