/** A Secret serves one Cluster (SEC-4): else whoever creates a Cluster would have others' credentials sent to its endpoint. */

import { type Cluster, type Secret, type SecretRef, secretsNamespace } from './cluster.ts';
import { type ConnectionError, missing, notAllowed } from './connection-error.ts';

/** On a Secret: the name of the one Cluster that it serves, whatever its own name is. */
export const clusterAnnotation = 'fleet.karmada.io/cluster';

const impersonator = '-impersonator';

/**
 * By its annotation, which `fleet join` writes; without one by its name, as Karmada has them. A Secret `a-impersonator` is then
 * that of cluster `a`, not of a cluster `a-impersonator`.
 */
export function serves({ metadata }: Secret, cluster: string): boolean {
  const annotated = metadata.annotations?.[clusterAnnotation];
  if (annotated !== undefined) return annotated === cluster;
  return (
    metadata.name === cluster + impersonator || (metadata.name === cluster && !metadata.name.endsWith(impersonator))
  );
}

const isAnnotated = ({ metadata }: Secret): boolean => metadata.annotations?.[clusterAnnotation] !== undefined;

export type ReadSecret = (ref: SecretRef) => Secret | undefined;

export function credentialOf(
  { metadata }: Cluster,
  { namespace, name }: SecretRef,
  readSecret: ReadSecret,
  namespaces: readonly string[],
): Secret | ConnectionError {
  const cluster = metadata.name;
  if (!namespaces.includes(namespace)) {
    return notAllowed(
      `must not use Secret ${namespace}/${name}: credentials are kept in namespace ${secretsNamespace}; ` +
        `the server's setting --cluster-secret-namespaces ${namespace} allows another one`,
    );
  }
  const secret = readSecret({ namespace, name });
  // Elsewhere a name says nothing: whoever creates Clusters could name one after any Secret there.
  const namesCount = namespace === secretsNamespace;
  if (secret && serves(secret, cluster) && (namesCount || isAnnotated(secret))) return secret;
  if (!secret && namesCount && (name === cluster || name === cluster + impersonator))
    return missing(`has no credential: there is no Secret ${namespace}/${name}`);
  // The same words whether it is there or not: who creates Clusters need not know which Secrets there are.
  return notAllowed(
    `must not use Secret ${namespace}/${name}: it has to be annotated ${clusterAnnotation}: ${cluster}` +
      (namesCount ? `, or to be named ${cluster} or ${cluster}${impersonator}` : ''),
  );
}
