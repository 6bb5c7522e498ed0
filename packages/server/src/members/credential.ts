/** Finds the Secret of a Cluster. It serves that one only (SEC-4): otherwise a Cluster could send another's credential anywhere. */

import { type Cluster, type Secret, type SecretRef, secretsNamespace } from './cluster.ts';
import { type ConnectionError, missing, notAllowed } from './connection-error.ts';

/** An annotation on a Secret: the name of the one Cluster that it serves, whatever the Secret's own name. */
export const clusterAnnotation = 'fleet.karmada.io/cluster';

const impersonator = '-impersonator';

/**
 * By its annotation, which `fleet join` writes; without one by its name, as in Karmada. So a Secret `a-impersonator` serves
 * cluster `a`, not a cluster `a-impersonator`.
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
  // In another namespace the name proves nothing: somebody could name a Cluster after any Secret there.
  const namesCount = namespace === secretsNamespace;
  if (secret && serves(secret, cluster) && (namesCount || isAnnotated(secret))) return secret;
  if (!secret && namesCount && (name === cluster || name === cluster + impersonator))
    return missing(`has no credential: there is no Secret ${namespace}/${name}`);
  // The same message whether it exists or not, so that nobody learns by it which Secrets exist.
  return notAllowed(
    `must not use Secret ${namespace}/${name}: it has to be annotated ${clusterAnnotation}: ${cluster}` +
      (namesCount ? `, or to be named ${cluster} or ${cluster}${impersonator}` : ''),
  );
}
