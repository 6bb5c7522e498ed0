import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { markedPids } from './src/run-mark.ts';
import { until } from './src/until.ts';

const cli = join(import.meta.dirname, 'src', 'cli.ts');

function refused(server: string): Promise<boolean> {
  const socket = connect(Number(new URL(server).port), '127.0.0.1');
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(false));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  }).finally(() => socket.destroy());
}

async function startRunner(): Promise<{ runner: ChildProcess; run: string; dir: string; server: string }> {
  const runner = spawn(process.execPath, [join(import.meta.dirname, 'fixtures', 'runner.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (!runner.stdout) throw new Error('no output');
  const [line] = await once(runner.stdout, 'data');
  return { runner, ...JSON.parse(`${line}`) };
}

describe('nothing is left', () => {
  it.for(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    'of a runner that ends by %s: no process, port or file',
    { timeout: 1_200_000 },
    async (signal) => {
      const { runner, run, dir, server } = await startRunner();
      // etcd, apiserver, controllers, scheduler, kwok, node server, kubectl, and the command with its child
      expect((await markedPids(run)).length).toBeGreaterThanOrEqual(9);
      expect(existsSync(dir)).toBe(true);
      expect(await refused(server)).toBe(false);
      runner.kill(signal);
      await until('its processes are gone', async () => (await markedPids(run)).length === 0);
      await until('its folder is gone', () => !existsSync(dir));
      // A process that ends loses its environment, by which it is known, before its sockets.
      await until('its port is free', () => refused(server));
    },
  );

  it('after bed up and bed down', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'bed-cli-'));
    const bed = (...args: string[]) =>
      promisify(execFile)(process.execPath, [cli, ...args, '--dir', join(parent, 'bed')]);
    const up = await bed('up', '--members', '2', '--versions', 'newest,older', '--nodes', '0');
    expect(up.stdout).toMatch(/^member1 {2}v1\.36\.3 {2}\S+admin\nmember2 {2}v1\.34\.4 {2}\S+admin\n$/);
    const status = await bed('status');
    expect(status.stdout).toMatch(/member1 .* 3 processes/);
    await expect(bed('up')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('already there') });
    await bed('down');
    await expect(bed('status')).rejects.toMatchObject({ code: 1, stdout: 'no members\n' });
    // fails if anything is in it
    await rmdir(parent);
  }, 1_200_000);
});
