import { mkdtemp, readdir, readFile, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openAuditFile } from './audit-file.ts';

const fail = (error: Error) => {
  throw error;
};
const folder = () => mkdtemp(join(tmpdir(), 'fleet-audit-'));

describe('AUDIT-1: the file', () => {
  it('is private, and whole at the end', async () => {
    const path = join(await folder(), 'new', 'audit.log');
    const file = await openAuditFile(path, fail);
    for (let i = 0; i < 10_000; i++) file.write(`{"line":${i}}`);
    await file[Symbol.asyncDispose]();
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(10_000);
    expect(lines.at(-1)).toBe('{"line":9999}');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('can be moved away: after SIGHUP a new one is written', async () => {
    const path = join(await folder(), 'audit.log');
    const file = await openAuditFile(path, fail);
    file.write('first');
    await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toBe('first\n'));
    await rename(path, `${path}.1`);
    file.reopen();
    file.write('second');
    await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toBe('second\n'));
    await file[Symbol.asyncDispose]();
    expect(await readFile(`${path}.1`, 'utf8')).toBe('first\n');
  });

  it('is put away when it is full, without losing or tearing a line, and only so many are kept', async () => {
    const dir = await folder();
    const path = join(dir, 'audit.log');
    const file = await openAuditFile(path, fail, { bytes: 1_000, backups: 2 });
    for (let part = 0; part < 5; part++) {
      const before = (await readdir(dir)).join();
      for (let i = 0; i < 100; i++) file.write(`{"part":${part},"line":${i}}`);
      await vi.waitFor(async () => expect((await readdir(dir)).join()).not.toBe(before));
      await vi.waitFor(async () => expect((await readdir(dir)).length).toBeLessThanOrEqual(3));
    }
    await file[Symbol.asyncDispose]();
    const names = (await readdir(dir)).sort();
    expect(names).toHaveLength(3);
    const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')));
    const lines = texts.join('').trimEnd().split('\n');
    for (const line of lines) JSON.parse(line);
    expect(lines).toContain('{"part":4,"line":99}');
    for (const name of names) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
  });

  it('is put away also when it was filled while the one before it was put away', async () => {
    const dir = await folder();
    const path = join(dir, 'audit.log');
    const file = await openAuditFile(path, fail, { bytes: 1_000, backups: 0 });
    const fill = () => Array.from({ length: 100 }, (_, i) => file.write(`{"line":${i}}`));
    for (let round = 0; round < 20; round++) {
      fill();
      // Time enough for it to be moved, not for the new one to be open.
      await readdir(dir);
      fill();
      await vi.waitFor(async () => expect((await stat(path)).size).toBeLessThan(1_000));
    }
    await file[Symbol.asyncDispose]();
  });

  it('loses no line of those that are kept', async () => {
    const dir = await folder();
    const path = join(dir, 'audit.log');
    const file = await openAuditFile(path, fail, { bytes: 5_000, backups: 0 });
    for (let i = 0; i < 3_000; i++) {
      file.write(`{"line":${i}}`);
      if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      // However slow the disk is: lines come before, while and after the file is put away.
      if (i === 1_500) await vi.waitFor(async () => expect((await readdir(dir)).length).toBeGreaterThan(1));
    }
    await file[Symbol.asyncDispose]();
    const texts = await Promise.all((await readdir(dir)).sort().map((name) => readFile(join(dir, name), 'utf8')));
    const found = texts
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { line: number }).line);
    expect(texts.length).toBeGreaterThan(1);
    expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: 3_000 }, (_, i) => i));
  });

  it('ERR-4: one that cannot be opened names the setting', async () => {
    await expect(openAuditFile('/etc/passwd/audit.log', fail)).rejects.toThrow(/^--audit-log: /);
  });
});
