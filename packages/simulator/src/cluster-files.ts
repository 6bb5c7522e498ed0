/**
 * Who a simulated cluster is: its CA, its certificates and the key of its ServiceAccounts. Made anew at every start, or kept in a
 * directory, so that a fleet recognises the cluster when it comes back.
 */

import { generateKeyPairSync } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createCa, issueClient, issueServing, type KeyPair } from '@fleet/apiserver/pki/certificates.ts';
import { readIfThere, writePrivate } from '@fleet/client/private-file.ts';

export interface ClusterFiles {
  ca: KeyPair;
  serving: KeyPair;
  /** Of an administrator. */
  admin: KeyPair;
  /** PEM. */
  serviceAccountKey: string;
  /** That the cluster listened on before. */
  port?: number | undefined;
}

async function makeFiles(): Promise<ClusterFiles> {
  const ca = await createCa('kubernetes');
  const [serving, admin] = await Promise.all([
    issueServing(ca, ['127.0.0.1', 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']),
    issueClient(ca, 'kubernetes-admin', ['system:masters']),
  ]);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ca, serving, admin, serviceAccountKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

const fileIn = (directory: string): string => join(directory, 'cluster.json');

/** Without a directory nothing is kept. */
export async function openClusterFiles(directory: string | undefined): Promise<ClusterFiles> {
  if (directory === undefined) return makeFiles();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const kept = await readIfThere(fileIn(directory));
  if (kept !== undefined) return JSON.parse(kept) as ClusterFiles;
  const made = await makeFiles();
  await keepClusterFiles(directory, made);
  return made;
}

export const keepClusterFiles = (directory: string, files: ClusterFiles): Promise<void> =>
  writePrivate(fileIn(directory), JSON.stringify(files));
