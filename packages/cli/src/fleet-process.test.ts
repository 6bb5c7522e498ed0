/** `fleet` as a process: what is reported before and beside its commands. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startApiServer } from '@fleet/client/testing/api-server.ts';
import { afterAll, expect, test } from 'vitest';

const command = join(import.meta.dirname, 'fleet.mjs');
const folder = mkdtempSync(join(tmpdir(), 'fleet-process-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fleet(args: readonly string[], nodeFlags: readonly string[] = []) {
  const env = { PATH: process.env['PATH'], HOME: folder, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
  const all = [...nodeFlags, command, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { env, cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('an old Node is refused with the version that is needed', () => {
  const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
  const { status, stdout, stderr } = fleet(['version'], ['--import', `data:text/javascript,${older}`]);
  const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
  expect(engines.node).toBe('>=24');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^error: fleet needs Node 24 or later; \S+ is v\S+\. .*\n$/);
});

test('version: the version of the client, whether or not a fleet answers', () => {
  const alone = fleet(['version']);
  expect(alone).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Client Version: v/) });
  expect(alone.stderr).toContain('no server version: no fleet found');
  const named = fleet(['version', '--fleet-kubeconfig', 'nowhere']);
  expect(named).toMatchObject({ status: 1, stdout: expect.stringMatching(/^Client Version: v/) });
  expect(named.stderr).toContain('nowhere, which does not exist');
});

test.each([
  ['a folder', '.', 'EISDIR'],
  ['a link to itself', 'loop', 'ELOOP'],
])('a kubeconfig that cannot be read is named, with the reason: %s', (_, path, reason) => {
  symlinkSync('loop', join(folder, 'loop'));
  const { status, stderr } = fleet(['get', 'clusters', '--fleet-kubeconfig', path]);
  rmSync(join(folder, 'loop'));
  expect(status).toBe(1);
  expect(stderr).toContain(`the kubeconfig ${path} cannot be read: ${reason}`);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a join that %s interrupts ends with %d', async (signal, code) => {
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  await using server = await startApiServer(({ url }, response) => {
    if (url === '/version') response.end(JSON.stringify({ gitVersion: 'v1.36.3+fleet.0.1.0' }));
    else asked();
  });
  await using member = await startApiServer(() => asked());
  const kubeconfig = (name: string, url: string) => {
    const path = join(folder, name);
    const config = {
      'current-context': 'x',
      clusters: [{ name: 'x', cluster: { server: url } }],
      users: [{ name: 'x', user: { token: 't' } }],
      contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    };
    writeFileSync(path, JSON.stringify(config));
    return path;
  };
  const args = [
    '--kubeconfig',
    kubeconfig('member', member.url),
    '--fleet-kubeconfig',
    kubeconfig('fleet', server.url),
  ];
  const child = spawn(process.execPath, [command, 'join', 'x', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const output = text(child.stderr);
  const ended = once(child, 'exit');
  await Promise.race([isAsked, ended]);
  child.kill(signal);
  expect(await ended, await output).toEqual([code, null]);
  expect(await output).toMatch(/error: interrupted\n$/);
});

test('a data directory that cannot be made ends the server', () => {
  const { status, stderr } = fleet(['serve', '--listen', '127.0.0.1:0', '--data-dir', '/proc/fleet/data']);
  expect(status).toBe(1);
  expect(stderr).toContain('error: the data directory /proc/fleet/data cannot be made: ENOENT');
});
