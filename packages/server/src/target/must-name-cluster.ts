import { badRequest, methodNotAllowed, type StatusError } from '@fleet/kube/status.ts';
import type { ParsedTarget } from './target.ts';

/** The error for a create without a cluster (NAME-6). Registered resources cannot be created at the aggregation endpoint (CACHE-8). */
export function mustNameCluster({ wire, registered }: Pick<ParsedTarget, 'wire' | 'registered'>): StatusError {
  const message =
    'a create must name its cluster: in the name, as "{name}.clusterspace.{cluster}", in the namespace, ' +
    `or by sending it to /clusterspaces/{cluster}${wire.path}`;
  return registered ? methodNotAllowed(message) : badRequest(message);
}

/** The error for a write by plain name if names are not looked up (`--require-cluster-for-writes`). */
export const mustNameClusterToWrite = (name: string, path: string): StatusError =>
  badRequest(
    `a write must name its cluster: in the name, as "${name}.clusterspace.{cluster}", in the namespace, ` +
      `or by sending it to /clusterspaces/{cluster}${path}`,
  );
