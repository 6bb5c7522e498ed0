import { badRequest, methodNotAllowed, type StatusError } from '@fleet/kube/status.ts';
import type { ParsedTarget } from './target.ts';

/** What would make an object must say where (NAME-6). Of what is registered nobody expects to make any (CACHE-8). */
export function mustNameCluster({ wire, registered }: Pick<ParsedTarget, 'wire' | 'registered'>): StatusError {
  const message =
    'what is created must name its cluster: in the name, as "{name}.clusterspace.{cluster}", in the namespace, ' +
    `or by sending it to /clusterspaces/{cluster}${wire.path}`;
  return registered ? methodNotAllowed(message) : badRequest(message);
}

/** What would change an object, on a server that looks for no names then (`--require-cluster-for-writes`). */
export const mustNameClusterToWrite = (name: string, path: string): StatusError =>
  badRequest(
    `what is changed must name its cluster: in the name, as "${name}.clusterspace.{cluster}", in the namespace, ` +
      `or by sending it to /clusterspaces/{cluster}${path}`,
  );
