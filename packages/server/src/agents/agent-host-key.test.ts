import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openReplicaKey } from './agent-host-key.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fleet-host-key-'));
  await mkdir(join(dataDir, 'pki'));
});
afterEach(() => rm(dataDir, { recursive: true }));

it('AGENT-3: the host key is made once and kept, for its owner alone', async () => {
  const first = await openReplicaKey(dataDir);
  expect(first.publicKey).toMatch(/^ssh-ed25519 AAAA/);
  expect(first.replica).toMatch(/^[-._a-zA-Z0-9]+$/);
  expect(await openReplicaKey(dataDir)).toEqual(first);
  expect((await stat(join(dataDir, 'pki', 'agent-host.key'))).mode & 0o777).toBe(0o600);
});

it('one that cannot be read is an error, not a new key: agents pin it', async () => {
  await writeFile(join(dataDir, 'pki', 'agent-host.key'), 'nonsense');
  await expect(openReplicaKey(dataDir)).rejects.toThrow('the host key cannot be read');
});
