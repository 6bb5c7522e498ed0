/** Warns about files of one volume with the same path, or one below another. */

import { quoted } from '../../errors/quoted.ts';
import type { Volume, VolumeSources } from './pod-spec.ts';

interface File {
  path: string;
  source: string;
}

type Items = readonly { path?: string }[];

type Projection = NonNullable<NonNullable<VolumeSources['projected']>['sources']>[number] & {
  clusterTrustBundle?: { name?: string; signerName?: string; path?: string };
  podCertificate?: { certificateChainPath?: string; keyPath?: string; credentialBundlePath?: string };
};

export const overlapWarnings = (volumes: readonly Volume[]): string[] =>
  volumes.flatMap((volume) => {
    const { name, configMap, secret, downwardAPI, projected } = volume;
    const warn = (kind: string, files: readonly File[]) =>
      overlaps(files).map((pair) => `volume ${quoted(name)} (${kind}): overlapping paths: ${pair}`);
    return [
      ...(configMap ? warn(`ConfigMap ${quoted(configMap.name ?? '')}`, filesOf(configMap.items)) : []),
      ...(secret ? warn(`Secret ${quoted(secret.secretName ?? '')}`, filesOf(secret.items)) : []),
      ...(downwardAPI ? warn('DownwardAPI', filesOf(downwardAPI.items)) : []),
      ...(projected?.sources ?? []).flatMap((source) =>
        Object.keys(source).length === 0 ? [`volume ${quoted(name)} (Projected) has no sources provided`] : [],
      ),
      ...(projected ? warn('Projected', (projected.sources ?? []).flatMap(projectedFiles)) : []),
    ];
  });

const filesOf = (items: Items = [], source = ''): File[] =>
  items.map(({ path = '' }) => ({ path: trimmed(path), source }));

const trimmed = (path: string): string => {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
};

function projectedFiles(projection: Projection): File[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = projection;
  if (configMap?.items) return filesOf(configMap.items, `ConfigMap ${quoted(configMap.name ?? '')}`);
  if (secret?.items) return filesOf(secret.items, `Secret ${quoted(secret.name ?? '')}`);
  if (downwardAPI?.items) return filesOf(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken) return filesOf([serviceAccountToken], 'ServiceAccountToken');
  if (clusterTrustBundle) {
    const name = clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? '';
    return filesOf([clusterTrustBundle], `ClusterTrustBundle ${quoted(name)}`);
  }
  const { certificateChainPath, keyPath, credentialBundlePath } = podCertificate ?? {};
  return [
    ...filesOf([{ path: certificateChainPath ?? '' }], 'PodCertificate chain'),
    ...filesOf([{ path: keyPath ?? '' }], 'PodCertificate key'),
    ...filesOf([{ path: credentialBundlePath ?? '' }], 'PodCertificate credential bundle'),
  ];
}

const textOf = ({ path, source }: File): string => (source ? `${quoted(path)} (${source})` : quoted(path));

const isBelow = (path: string, other: string): boolean => `${path}/`.startsWith(`${other}/`);

/** Each file is compared with at most this many earlier ones, so further conflicts give no warnings (SEC-3). */
const mostCompared = 100;

const overlaps = (files: readonly File[]): string[] =>
  files.flatMap((file, index) =>
    files
      .slice(0, Math.min(index, mostCompared))
      .filter(({ path }) => path && file.path && (isBelow(path, file.path) || isBelow(file.path, path)))
      .map((other) => `${textOf(file)} with ${textOf(other)}`),
  );
