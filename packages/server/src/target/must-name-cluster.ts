import { badRequest, type StatusError } from '@fleet/kube/status.ts';

/** What would make an object must say where (NAME-6). */
export const mustNameCluster = (path: string): StatusError =>
  badRequest(
    'what is created must name its cluster: in the name, as "{name}.clusterspace.{cluster}", in the namespace, ' +
      `or by sending it to /clusterspaces/{cluster}${path}`,
  );

/** What would change an object, on a server that looks for no names then (`--require-cluster-for-writes`). */
export const mustNameClusterToWrite = (name: string, path: string): StatusError =>
  badRequest(
    `what is changed must name its cluster: in the name, as "${name}.clusterspace.{cluster}", in the namespace, ` +
      `or by sending it to /clusterspaces/{cluster}${path}`,
  );
