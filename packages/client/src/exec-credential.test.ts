import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { execCredential } from './exec-credential.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugin-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => {
  vi.useRealTimers();
});

/** A plugin that prints `output` and counts its runs. */
async function plugin(name: string, output: string) {
  const script = `#!/bin/sh\necho run >> "$0.runs"\necho "$KUBERNETES_EXEC_INFO" > "$0.info"\ncat <<'END'\n${output}\nEND\n`;
  await writeFile(join(folder, name), script, { mode: 0o755 });
  await appendFile(join(folder, `${name}.runs`), '');
  const credential = execCredential({ apiVersion: 'client.authentication.k8s.io/v1', command: `./${name}` }, folder);
  const runs = async () => (await readFile(join(folder, `${name}.runs`), 'utf8')).split('\n').length - 1;
  return { credential, runs };
}

const giving = (status: object) => JSON.stringify({ kind: 'ExecCredential', status });

describe('execCredential', () => {
  it('runs once for concurrent requests, and not again while the token is valid', async () => {
    const { credential, runs } = await plugin('once', giving({ token: 't' }));
    expect(await Promise.all([credential(), credential()])).toEqual(['Bearer t', 'Bearer t']);
    await credential();
    expect(await runs()).toBe(1);
    const info = JSON.parse(await readFile(join(folder, 'once.info'), 'utf8'));
    expect(info).toMatchObject({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1' });
  });

  it('runs again before the token expires', async () => {
    const expirationTimestamp = new Date(Date.now() + 600_000).toISOString();
    const { credential, runs } = await plugin('expiring', giving({ token: 't', expirationTimestamp }));
    await credential();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 500_000 });
    await credential();
    expect(await runs()).toBe(1);
    vi.setSystemTime(Date.now() + 60_000);
    await credential();
    expect(await runs()).toBe(2);
  });

  it('a plugin that gives no token, or fails, is an error and is run again', async () => {
    const { credential, runs } = await plugin('empty', giving({}));
    await expect(credential()).rejects.toThrow('credential plugin ./empty returned no token');
    await expect(credential()).rejects.toThrow('returned no token');
    expect(await runs()).toBe(2);
    await expect(execCredential({ apiVersion: 'v1', command: './none' }, folder)()).rejects.toThrow('none');
  });
});
