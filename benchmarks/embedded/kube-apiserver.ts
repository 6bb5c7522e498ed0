/** kube-apiserver and etcd as they are run for real: etcd syncs what it acknowledges. No audit log, no controllers. */

import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaryPath, etcd, kubernetes } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { Child } from '@fleet/bed/child.ts';
import { apiserverArguments, etcdArguments } from '@fleet/bed/control-plane.ts';
import { createCredentials } from '@fleet/bed/credentials.ts';
import { freePort } from '@fleet/bed/ports.ts';
import { watchRun } from '@fleet/bed/watched.ts';
import { Side } from './side.ts';

export async function kubeApiserver(): Promise<Side> {
  const apiserver = kubernetes('kube-apiserver');
  await build([etcd, apiserver]);
  const folder = await mkdtemp(join(tmpdir(), 'fleet-bench-kube-apiserver-'));
  const run = randomUUID();
  watchRun(run, folder);
  await mkdir(join(folder, 'logs'));
  const { authority, admin } = await createCredentials(folder);
  const port = await freePort();
  const served = apiserverArguments({ port }).filter((flag) => !flag.startsWith('--audit-'));
  const kept = etcdArguments().filter((flag) => flag !== '--unsafe-no-fsync');
  return new Side({
    name: 'kube-apiserver and etcd',
    folder,
    run,
    origin: `https://127.0.0.1:${port}`,
    base: '',
    spawn: () => [
      new Child({ name: 'etcd', path: binaryPath(etcd), args: kept, folder, run }),
      new Child({ name: 'kube-apiserver', path: binaryPath(apiserver), args: served, folder, run }),
    ],
    credentials: async () => ({ ca: authority.cert, admin }),
  });
}
