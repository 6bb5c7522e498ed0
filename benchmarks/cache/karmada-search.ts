/** karmada-search over the same control plane and members, asked directly: no aggregation layer in between. */

import { join } from 'node:path';
import { Api } from '@fleet/bed/api.ts';
import { binaryPath, karmadaSearch } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { Child } from '@fleet/bed/child.ts';
import type { Member } from '@fleet/bed/member.ts';
import { freePort } from '@fleet/bed/ports.ts';
import { until } from '@fleet/bed/until.ts';
import { podsPath } from './paths.ts';

export interface KarmadaSearch extends AsyncDisposable {
  url: string;
  pid: number;
  /** Waits until so many pods are in its cache. */
  filled(count: number): Promise<void>;
}

export const buildKarmadaSearch = (): Promise<void> => build([karmadaSearch]);

/** The control plane's certificates are its own, too: it answers to the same admin. */
export async function startKarmadaSearch(controlPlane: Member): Promise<KarmadaSearch> {
  const port = await freePort();
  const { dir, run, directKubeconfig: kubeconfig, ca, admin } = controlPlane;
  const child = new Child({
    name: 'karmada-search',
    path: binaryPath(karmadaSearch),
    args: [
      ...['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map(
        (flag) => `--${flag}=${kubeconfig}`,
      ),
      '--etcd-servers=unix://etcd:2379',
      // Registries are the control plane's: it keeps none of its own.
      '--etcd-prefix=/karmada-search',
      `--tls-cert-file=${join(dir, 'pki/apiserver.crt')}`,
      `--tls-private-key-file=${join(dir, 'pki/apiserver.key')}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      // Of its two caches the one that answers what is measured.
      '--disable-search=true',
      '--kube-api-qps=500',
      '--kube-api-burst=1000',
    ],
    folder: dir,
    run,
  });
  const url = `https://127.0.0.1:${port}`;
  const api = new Api(url, ca, admin);
  await until('karmada-search is ready', async () => (await api.ask('/readyz')).code === 200, {
    failed: child.ended,
    timeout: 180_000,
  });
  return {
    url,
    pid: child.pid,
    filled: (count) =>
      until(
        `karmada-search has ${count} pods`,
        async () => {
          const path = `${podsPath}?resourceVersion=0`;
          const { items } = await api.object<{ items: unknown[] }>(path, { timeout: 120_000 });
          return items.length === count;
        },
        { timeout: 600_000, every: 2_000, failed: child.ended },
      ).then(() => {}),
    async [Symbol.asyncDispose]() {
      api[Symbol.dispose]();
      await child.end('SIGKILL');
    },
  };
}
