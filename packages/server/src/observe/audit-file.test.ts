import { mkdtemp, readFile, rename, stat } from 'node:fs/promises';
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

  it('ERR-4: one that cannot be opened names the setting', async () => {
    await expect(openAuditFile('/etc/passwd/audit.log', fail)).rejects.toThrow(/^--audit-log: /);
  });
});
