import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binary, isOwn, type OwnBinary, ownSources } from './binaries.ts';
import { go } from './go.ts';

const sums = join(import.meta.dirname, '..', 'sums');

/**
 * A go.mod that can build what `k8s.io/kubernetes` builds.
 * Its own replaces the staging modules by local folders, which only count in the main module and are not in the zip,
 * so each is repeated as the published module of the same release; all other requirements are taken over as they are.
 */
export function kubernetesGoMod(upstream: string, version: string): string {
  const staging = version.replace(/^v1\./, 'v0.');
  const taken = upstream
    .replace(/^module .*$/m, 'module bed.local/kubernetes')
    .replace(/=> \.\/staging\/src\/(\S+)/g, (_, path: string) => `=> ${path} ${staging}`);
  return `${taken.trimEnd()}\n\nrequire k8s.io/kubernetes ${version}\n`;
}

/** Makes the folder `go` runs in for this binary, with the sums pinned in the repository. */
export async function prepareModule(binary: Binary, cache: string): Promise<string> {
  if (isOwn(binary)) return ownSources(binary);
  const folder = join(cache, 'modules', `${binary.module}-${binary.version}`);
  await mkdir(folder, { recursive: true });
  await copyFile(sumFile(binary), join(folder, 'go.sum')).catch((error: NodeJS.ErrnoException) => {
    // a version that is not pinned here is checked by Go's own checksum database
    if (error.code !== 'ENOENT') throw error;
  });
  await writeFile(join(folder, 'go.mod'), await goMod(binary, folder));
  return folder;
}

/** Keeps the sums of a finished build in the repository. */
export async function pinSums(binary: Binary, cache: string): Promise<void> {
  if (isOwn(binary)) return;
  await mkdir(sums, { recursive: true });
  await copyFile(join(cache, 'modules', `${binary.module}-${binary.version}`, 'go.sum'), sumFile(binary));
}

function sumFile(binary: Binary): string {
  return join(sums, `${binary.module}-${binary.version}.sum`);
}

async function goMod(binary: Exclude<Binary, OwnBinary>, folder: string): Promise<string> {
  switch (binary.module) {
    case 'kubernetes': {
      const answer = await go(['mod', 'download', '-json', `k8s.io/kubernetes@${binary.version}`], { cwd: folder });
      const { GoMod } = JSON.parse(answer) as { GoMod: string };
      return kubernetesGoMod(await readFile(GoMod, 'utf8'), binary.version);
    }
    case 'etcd':
      return requireOnly('go.etcd.io/etcd/server/v3', binary.version);
    case 'kwok':
      return requireOnly('sigs.k8s.io/kwok', binary.version);
    case 'metrics-server':
      return requireOnly('sigs.k8s.io/metrics-server', binary.version);
    case 'karmada':
    case 'karmada-search':
    case 'karmada-control-plane':
      return requireOnly('github.com/karmada-io/karmada', binary.version);
    case 'konnectivity':
      return requireOnly('sigs.k8s.io/apiserver-network-proxy', binary.version);
    case 'chisel':
      return requireOnly('github.com/jpillora/chisel', binary.version);
    default:
      return binary satisfies never;
  }
}

function requireOnly(path: string, version: string): string {
  return `module bed.local/bed\n\ngo 1.26.0\n\nrequire ${path} ${version}\n`;
}
