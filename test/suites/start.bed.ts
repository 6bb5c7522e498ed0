/** CP-1: one process with nothing beside it is small. */

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

/** In bytes, what it may hold when it is idle on a data directory that exists. */
const most = 150e6;
/** After the very first start, V8 and the allocator still hold some of what made the directory: 148 to 156 MB were seen. */
const mostAtFirst = 165e6;

/** `fleet serve` with its own control plane, for which nothing has been compiled before. */
async function prepare(env: NodeJS.ProcessEnv = {}): Promise<() => Promise<Child>> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-start-'));
  const run = randomUUID();
  const port = await freePort();
  onTestFinished(async () => {
    await clear(run, folder);
    givePortBack(port);
  });
  mkdirSync(join(folder, 'logs'));
  let starts = 0;
  /** Serving when this returns. */
  return async () => {
    const child = new Child({
      name: `fleet-serve-${++starts}`,
      path: process.execPath,
      args: [fleetCommand, 'serve', '--listen', `127.0.0.1:${port}`, '--data-dir', 'data'],
      folder,
      run,
      env: { NODE_COMPILE_CACHE: join(folder, 'compiled'), ...env },
    });
    const isServing = () => readFileSync(child.logPath, 'utf8').includes('fleet is serving');
    await until('it serves', isServing, { failed: child.ended });
    return child;
  };
}

function memoryOf({ pid }: Child): number {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

/** In milliseconds: how long after the start memory is measured. A thread that only a first start needs ends after ten seconds. */
const settled = 20_000;

async function settledMemoryOf(...children: Child[]): Promise<number[]> {
  const begun = performance.now();
  await until('it has run for 20 s', () => performance.now() - begun > settled, { timeout: 2 * settled });
  return children.map(memoryOf);
}

test('it holds less than 150 MB; a first start that keeps what strips types is noticed', async () => {
  const [start, startControl] = await Promise.all([prepare(), prepare({ _FLEET_STARTED_AGAIN: '1' })]);
  const [first, control] = await Promise.all([start(), startControl()]);
  const [atFirst, withStripper] = await settledMemoryOf(first, control);
  await first.end('SIGTERM');
  const [later] = await settledMemoryOf(await start());
  console.log({ later, atFirst, withStripper });
  expect(later).toBeLessThan(most);
  expect(atFirst).toBeLessThan(mostAtFirst);
  expect(withStripper).toBeGreaterThan(mostAtFirst);
  expect(withStripper! - atFirst!).toBeGreaterThan(15e6);
}, 120_000);
