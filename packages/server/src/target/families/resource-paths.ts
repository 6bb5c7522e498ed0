/** Kubernetes paths as the vanilla family and the Fleet API share them: aimed at one place, or at the merged view. */

import { type ResourceRequest, readRequestInfo, verbFor } from '@fleet/kube/request-info.ts';
import { badRequest, methodNotAllowed } from '@fleet/kube/status.ts';
import { chooseClusters } from '../cluster-label.ts';
import { decodeLoosely, rawSegments, readSegment, refuseDotSegments } from '../path.ts';
import { splitName } from '../suffixed-name.ts';
import { type ClusterName, karmada, type ParsedTarget, type RawRequest, type Wishes } from '../target.ts';

/** Groups whose objects are the product's own: in merged views the control plane serves them. */
export const fleetOwnedGroups: ReadonlySet<string> = new Set([
  'cluster.karmada.io',
  'search.karmada.io',
  'policy.karmada.io',
  'work.karmada.io',
  'config.karmada.io',
  'cluster.kubesphere.io',
]);

/** Who a user is, is the control plane's knowledge (AUTHZ-4). */
const controlPlaneGroups: ReadonlySet<string> = new Set([...fleetOwnedGroups, 'authentication.k8s.io']);

interface ReadPath {
  info: ResourceRequest | undefined;
  raw: string[];
}

/** How many segments the product interprets: a subresource's own path (`pods/x/proxy/…`) is opaque. */
function interpretedLength(info: ResourceRequest | undefined, raw: readonly string[]): number {
  return info === undefined ? raw.length : raw.length - info.rest.length;
}

function readPath({ method, path, query }: RawRequest): ReadPath {
  refuseDotSegments(path);
  const read = (segments: readonly string[]) =>
    readRequestInfo(method, segments.map(decodeLoosely), new URLSearchParams(query));
  let raw = rawSegments(path);
  let info = read(raw);
  // One slash at the end is no segment: kube-apiserver reads `/apis/` as `/apis`, and clients send it.
  if (raw.at(-1) === '' && !info?.rest.length) {
    raw = raw.slice(0, -1);
    info = read(raw);
  }
  for (const segment of raw.slice(0, interpretedLength(info, raw))) readSegment(segment);
  return { info, raw };
}

/** The path with one raw segment replaced. */
function replaceSegment(raw: readonly string[], index: number, value: string): string {
  return `/${raw.map((segment, i) => (i === index ? encodeURIComponent(value) : segment)).join('/')}`;
}

/** The name is the segment before the subresource and what follows it. */
const nameIndex = (info: ResourceRequest, raw: readonly string[]): number =>
  raw.length - info.rest.length - (info.subresource === undefined ? 0 : 1) - 1;

const target = (
  request: RawRequest,
  wishes: Wishes,
  info: ResourceRequest | undefined,
  rest: Pick<ParsedTarget, 'place' | 'view'> & { path?: string; name?: string },
): ParsedTarget => ({
  ask: info ? { is: 'resource', ...info, name: rest.name ?? info.name } : { is: 'path', path: request.path },
  place: rest.place,
  view: rest.view,
  right: { resource: 'clusterspaces', verb: info?.verb ?? verbFor(request.method) },
  wire: { method: request.method, path: rest.path ?? request.path, query: request.query },
  wishes,
});

/** The cluster that the URL's own name carries; a `metadata.name` selector is no part of the path. */
function clusterInPath(
  info: ResourceRequest,
  raw: readonly string[],
): { name: string; cluster: ClusterName } | undefined {
  if (info.name === undefined || info.verb === 'list' || info.verb === 'watch') return undefined;
  const inPath = raw[nameIndex(info, raw)];
  if (inPath === undefined || readSegment(inPath) !== info.name) return undefined;
  const { name, cluster } = splitName(info.name);
  return cluster === undefined ? undefined : { name, cluster };
}

function refuseSuffixedNamespace(info: ResourceRequest): void {
  if (info.namespace === undefined || info.resource === 'namespaces') return;
  const { cluster } = splitName(info.namespace);
  if (cluster === undefined) return;
  throw badRequest(
    `the namespace "${info.namespace}" names a cluster, which is not supported: use /clusterspaces/${cluster}`,
  );
}

/** A field selector that names a cluster would match nothing, quietly. */
function refuseSuffixedSelector({ query }: RawRequest): void {
  for (const selector of new URLSearchParams(query).getAll('fieldSelector')) {
    const [, cluster] = /\.clusterspace\.([-a-z0-9]+)/.exec(selector) ?? [];
    if (cluster === undefined) continue;
    throw badRequest(
      `fieldSelector: "${selector}" names a cluster, which is not supported: use /clusterspaces/${cluster} and the plain name`,
    );
  }
}

/** The request goes to the place its URL names. */
export function onePlace(request: RawRequest, wishes: Wishes, cluster: ClusterName): ParsedTarget {
  const { info, raw } = readPath(request);
  if (info) refuseSuffixedNamespace(info);
  const named = info && clusterInPath(info, raw);
  if (!info || !named) {
    return target(request, wishes, info, { place: { at: 'one', cluster }, view: { names: 'plain' } });
  }
  if (named.cluster !== cluster) {
    throw badRequest(
      `two different clusters are named: "${cluster}" by the clusterspace and "${named.cluster}" by the name "${info.name}"`,
    );
  }
  return suffixed(request, wishes, info, raw, named);
}

function suffixed(
  request: RawRequest,
  wishes: Wishes,
  info: ResourceRequest,
  raw: readonly string[],
  { name, cluster }: { name: string; cluster: ClusterName },
): ParsedTarget {
  return target(request, wishes, info, {
    place: { at: 'one', cluster },
    // Objects of the control plane carry no suffix in merged views (NAME-5).
    view: { names: cluster === karmada ? 'plain' : 'name-suffixed' },
    path: replaceSegment(raw, nameIndex(info, raw), name),
    name,
  });
}

/** The view over all members: lists and watches go everywhere, a named request to the cluster in its name. */
export function merged(request: RawRequest, wishes: Wishes): ParsedTarget {
  const { info, raw } = readPath(request);
  const plain = { names: 'plain' } as const;
  if (!info) {
    return target({ ...request, path: `/${raw.join('/')}` }, wishes, info, { place: { at: 'here' }, view: plain });
  }
  if (controlPlaneGroups.has(info.group)) {
    return target(request, wishes, info, { place: { at: 'one', cluster: karmada }, view: plain });
  }
  refuseSuffixedNamespace(info);
  const named = clusterInPath(info, raw);
  if (named) return suffixed(request, wishes, info, raw, named);
  switch (info.verb) {
    case 'list':
    case 'watch':
    case 'deletecollection': {
      refuseSuffixedSelector(request);
      const { clusters, query } = chooseClusters(request.query);
      const place = { at: 'many', clusters } as const;
      return target({ ...request, query }, wishes, info, { place, view: { names: 'name-suffixed' } });
    }
    case 'create':
      if (info.name === undefined) return target(request, wishes, info, { place: { at: 'in-body' }, view: plain });
      return target(request, wishes, info, { place: { at: 'found' }, view: plain });
    default:
      if (info.name === undefined) throw methodNotAllowed(`${request.method} needs the name of one object`);
      return target(request, wishes, info, { place: { at: 'found' }, view: plain });
  }
}
