/**
 * The cluster's CA, certificates, ServiceAccount key and port. Created at every start, or kept in a directory, so that a fleet
 * recognises the cluster after a restart.
 */

import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { createCa, issueClient, issueServing, type KeyPair } from '@fleet/apiserver/pki/certificates.ts';
import { makeFolder } from '@fleet/client/make-folder.ts';
import { readIfThere, writePrivate } from '@fleet/client/private-file.ts';

export interface ClusterIdentity {
  ca: KeyPair;
  serving: KeyPair;
  admin: KeyPair;
  /** PEM. */
  serviceAccountKey: string;
  /** The port that the cluster listened on before. */
  port?: number | undefined;
}

async function makeIdentity(): Promise<ClusterIdentity> {
  const ca = await createCa('kubernetes');
  const [serving, admin] = await Promise.all([
    issueServing(ca, ['127.0.0.1', 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']),
    issueClient(ca, 'kubernetes-admin', ['system:masters']),
  ]);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ca, serving, admin, serviceAccountKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

const fileIn = (directory: string): string => join(directory, 'cluster.json');

/** Without a directory nothing is stored. */
export async function openClusterIdentity(directory: string | undefined): Promise<ClusterIdentity> {
  if (directory === undefined) return makeIdentity();
  await makeFolder(directory);
  const kept = await readIfThere(fileIn(directory));
  if (kept !== undefined) return JSON.parse(kept) as ClusterIdentity;
  const made = await makeIdentity();
  await keepClusterIdentity(directory, made);
  return made;
}

export const keepClusterIdentity = (directory: string, identity: ClusterIdentity): Promise<void> =>
  writePrivate(fileIn(directory), JSON.stringify(identity));
