/** CP-1: one process with nothing beside it is small, from its very first start on. */

import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child } from '@fleet/bed/child.ts';
import { clear } from '@fleet/bed/clear.ts';
import { freePort, givePortBack } from '@fleet/bed/ports.ts';
import { fleetCommand } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { expect, onTestFinished, test } from 'vitest';

/** Bytes that it may hold when it has nothing to do. */
const most = 150e6;

/** `fleet serve` with its own control plane, for which nothing has been compiled before. Serving when this returns. */
async function startFirst(env: NodeJS.ProcessEnv = {}): Promise<Child> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-start-'));
  const run = randomUUID();
  const port = await freePort();
  onTestFinished(async () => {
    await clear(run, folder);
    givePortBack(port);
  });
  mkdirSync(join(folder, 'logs'));
  const child = new Child({
    name: 'fleet-serve',
    path: process.execPath,
    args: [fleetCommand, 'serve', '--listen', `127.0.0.1:${port}`, '--data-dir', 'data'],
    folder,
    run,
    env: { NODE_COMPILE_CACHE: join(folder, 'compiled'), ...env },
  });
  const isServing = () => readFileSync(child.logPath, 'utf8').includes('fleet is serving');
  await until('it serves', isServing, { failed: child.ended });
  return child;
}

function memoryOf({ pid }: Child): number {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

test('the very first start holds less than 150 MB, and one that keeps what strips types is noticed', async () => {
  const [first, control] = await Promise.all([startFirst(), startFirst({ _FLEET_STARTED_AGAIN: '1' })]);
  // A thread that only a first start needs ends after ten seconds.
  await expect.poll(() => memoryOf(first), { timeout: 30_000 }).toBeLessThan(most);
  expect(memoryOf(control)).toBeGreaterThan(most);
  expect(memoryOf(control) - memoryOf(first)).toBeGreaterThan(15e6);
});
