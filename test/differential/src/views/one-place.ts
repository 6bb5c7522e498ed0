/** A request that names its cluster by the query alone: names and versions are the cluster's own (URL-3, RV-1). */
import type { Request } from '../request.ts';
import { versionOf } from './version-map.ts';

export function inCluster(request: Request, cluster: string): Request {
  return { ...request, query: [...ownVersions(request.query, cluster), ['clusterspace', cluster]] };
}

export const isInCluster = ({ query }: Request): boolean => query.some(([key]) => key === 'clusterspace');

/** One place knows nothing of the versions of merged lists. */
export const ownVersions = (query: Request['query'], cluster: string): Request['query'] =>
  query.map(([key, value]) => [key, (key === 'resourceVersion' && versionOf(value, cluster)) || value] as const);

export const isWatch = ({ query }: Request): boolean =>
  query.some(([key, value]) => key === 'watch' && (value === '1' || value === 'true'));
