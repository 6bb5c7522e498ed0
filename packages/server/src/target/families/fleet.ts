/** The Fleet API: `clusterspaces/{cs}` as a prefix, inside the path, or as a query parameter (URL-2, URL-3). */

import { badRequest } from '@fleet/kube/status.ts';
import { versionedPath } from '../owned-groups.ts';
import { rawSegments, readSegment } from '../path.ts';
import { readQuery } from '../query.ts';
import { karmada, type RawRequest, type UrlFamily } from '../target.ts';
import { clusterProxy, isClusterProxy } from './cluster-proxy.ts';
import { merged, onePlace, suffixedFamily } from './resource-paths.ts';

/** The index of `clusterspaces/{cs}` in a path. */
function findClusterspace(segments: readonly string[]): number | undefined {
  if (segments[0] === 'clusterspaces') return 0;
  const afterVersion = segments[0] === 'api' ? 2 : segments[0] === 'apis' ? 3 : undefined;
  if (afterVersion === undefined) return undefined;
  if (segments[afterVersion] === 'clusterspaces') return afterVersion;
  const afterNamespace = afterVersion + 2;
  const namespaced = segments[afterVersion] === 'namespaces' && segments[afterNamespace] === 'clusterspaces';
  return namespaced ? afterNamespace : undefined;
}

function refuseSecond(plain: readonly string[], clusterspace: string): void {
  const at = findClusterspace(plain);
  if (at === undefined) return;
  throw badRequest(`a clusterspace is named twice: "${clusterspace}" and "${plain[at + 1] ?? ''}"`);
}

/** karmadactl looks for the proxies to members below `/clusterspaces/karmada` (FED-34). */
function belowControlPlane(request: RawRequest, [root, place, ...rest]: readonly string[]): RawRequest | undefined {
  if (root !== 'clusterspaces' || place === undefined || readSegment(place) !== karmada) return undefined;
  const path = `/${rest.join('/')}`;
  return isClusterProxy(path) ? { ...request, path } : undefined;
}

export const fleet: UrlFamily = {
  name: 'fleet',
  parse(request, known) {
    const { templates } = known;
    const raw = rawSegments(request.path);
    const proxied = templates ? belowControlPlane(request, raw) : undefined;
    if (proxied) return clusterProxy.parse(proxied, known);
    const { clusterspace: inQuery, requestOptions, rest } = readQuery(request.query);
    const at = findClusterspace(raw);
    if (at === undefined && inQuery === undefined) return undefined;

    const inPath = at === undefined ? undefined : raw[at + 1] === undefined ? '' : readSegment(raw[at + 1]!);
    if (inPath === '') throw badRequest('clusterspaces must be followed by a cluster, karmada or all');
    if (inPath !== undefined && inQuery !== undefined && inPath !== inQuery) {
      throw badRequest(`two different clusters are named: "${inPath}" in the path and "${inQuery}" in the query`);
    }
    const clusterspace = inPath ?? inQuery!;
    const plain = at === undefined ? raw : [...raw.slice(0, at), ...raw.slice(at + 2)];
    refuseSecond(plain, clusterspace);
    const inner = { method: request.method, path: `/${plain.join('/')}`, query: rest };
    const own = { ...inner, path: versionedPath(inner.path) };
    if (clusterspace === 'all') return merged(own, requestOptions, suffixedFamily(templates));
    if (clusterspace === '') throw badRequest('clusterspace must name a cluster, karmada or all');
    return onePlace(clusterspace === karmada ? own : inner, requestOptions, clusterspace);
  },
};
