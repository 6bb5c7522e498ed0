import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { singleKubeconfig } from '@fleet/client/kubeconfig.ts';
import { type ApiServer, startApiServer } from '@fleet/client/testing/api-server.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProgram } from '../program.ts';

let server: ApiServer;
let folder: string;
let out: string;

beforeEach(async () => {
  server = await startApiServer((_, response) => response.end('{"gitVersion":"v1.36.3+fleet.0.1.0"}'));
  folder = await mkdtemp(join(tmpdir(), 'fleet-kubeconfig-'));
  out = join(folder, 'out');
  await writeFile(join(folder, 'admin'), singleKubeconfig('fleet', server.url, 'CA', { token: 'secret' }));
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const run = (...flags: string[]) =>
  createProgram().parseAsync(['kubeconfig', '--fleet-kubeconfig', join(folder, 'admin'), ...flags], { from: 'user' });

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('fleet kubeconfig --output', () => {
  test('writes a file that only its owner can read, whatever was there before', async () => {
    await run('--output', out);
    expect(await modeOf(out)).toBe(0o600);
    const first = await readFile(out, 'utf8');
    expect(first).toContain('token: secret');
    await writeFile(join(folder, 'other'), first, { mode: 0o644 });
    await run('--output', join(folder, 'other'));
    expect(await modeOf(join(folder, 'other'))).toBe(0o600);
    expect((await readdir(folder)).toSorted()).toEqual(['admin', 'other', 'out']);
  });

  test.each([
    ['no kubeconfig', 'no kubeconfig'],
    ['another context', singleKubeconfig('mine', 'https://mine', 'CA', { token: 't' })],
    ['no contexts, but a user', 'contexts: []\nusers: [{ name: mine, user: { token: t } }]\n'],
  ])('does not replace a file that holds something else: %s', async (_, before) => {
    await writeFile(out, before);
    await expect(run('--output', out)).rejects.toThrow('is there already and holds something else');
    expect(await readFile(out, 'utf8')).toBe(before);
  });
});

describe('standard output', () => {
  const command = [join(import.meta.dirname, '../fleet.mjs'), 'kubeconfig', '--fleet-kubeconfig'];

  test('that is a file: written, with a warning', async () => {
    await using file = await open(out, 'w');
    await file.chmod(0o644);
    const child = spawn(process.execPath, [...command, join(folder, 'admin')], { stdio: ['ignore', file.fd, 'pipe'] });
    const [[code], output] = await Promise.all([once(child, 'close'), text(child.stderr!)]);
    expect({ code, output }).toEqual({
      code: 0,
      output:
        'Warning: a credential is written to a file of mode 0644; with --output FILE only its owner can read it\n',
    });
    expect(await readFile(out, 'utf8')).toContain('token: secret');
  });

  test('that is a pipe: no warning', async () => {
    const child = spawn(process.execPath, [...command, join(folder, 'admin')], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [[code], printed, output] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
    expect({ code, output }).toEqual({ code: 0, output: '' });
    expect(printed).toContain('token: secret');
  });
});
