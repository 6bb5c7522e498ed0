/** `fleet serve` as users have it, with its own control plane: reached through TLS at `/clusterspaces/karmada`. */

import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child } from '@fleet/bed/child.ts';
import { freePort } from '@fleet/bed/ports.ts';
import { fleetCommand } from '@fleet/bed/product.ts';
import { watchRun } from '@fleet/bed/watched.ts';
import { Side } from './side.ts';

/** A folder for profiles, by `node --cpu-prof`. */
const profiles = process.env['BENCH_PROFILES'];

export interface ServeOptions {
  /** More flags of `fleet serve`. */
  flags?: readonly string[];
  /** Flags of Node itself. */
  nodeFlags?: readonly string[];
  env?: NodeJS.ProcessEnv;
}

export async function fleetServe(options: ServeOptions = {}): Promise<Side> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-bench-serve-'));
  const run = randomUUID();
  watchRun(run, folder);
  await mkdir(join(folder, 'logs'));
  const origin = `127.0.0.1:${await freePort()}`;
  const read = (file: string) => readFile(join(folder, 'data/pki', file), 'utf8');
  const profiled = profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : [];
  const nodeFlags = [...profiled, ...(options.nodeFlags ?? [])];
  const flags = ['--listen', origin, '--data-dir', 'data', ...(options.flags ?? [])];
  return new Side({
    name: 'fleet serve',
    folder,
    run,
    origin: `https://${origin}`,
    base: '/clusterspaces/karmada',
    spawn: () => [
      new Child({
        name: 'fleet-serve',
        path: process.execPath,
        args: [...nodeFlags, fleetCommand, 'serve', ...flags],
        folder,
        run,
        // Its own: the first start is the very first.
        env: { ...options.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
      }),
    ],
    credentials: async () => ({
      ca: await read('ca.crt'),
      admin: { cert: await read('admin.crt'), key: await read('admin.key') },
    }),
  });
}
