/** Issues client certificates for people: by the product's own CA if its data directory is readable; otherwise makes a request. */

import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { KeyPair } from '@fleet/apiserver/pki/certificates.ts';
import { readIfThere } from '@fleet/client/private-file.ts';

const certificates = () => import('@fleet/apiserver/pki/certificates.ts');

const day = 24 * 60 * 60 * 1000;

export interface NewUser {
  name: string;
  groups: readonly string[];
  /** In milliseconds: how long the certificate is valid. */
  validFor: number;
}

/** The product's own CA with its key; undefined if this is no data directory of the product. */
export async function readOwnCa(dataDir: string): Promise<KeyPair | undefined> {
  const read = (name: string) => readIfThere(join(dataDir, 'pki', name));
  const [cert, key] = await Promise.all([read('ca.crt'), read('ca.key')]);
  return cert !== undefined && key !== undefined ? { cert, key } : undefined;
}

export async function issueUser(ca: KeyPair, { name, groups, validFor }: NewUser): Promise<KeyPair> {
  const end = new X509Certificate(ca.cert).validToDate;
  if (Date.now() + validFor > end.getTime()) {
    throw new Error(
      `the CA itself ends on ${end.toISOString().slice(0, 10)}: a certificate cannot be valid for longer`,
    );
  }
  return (await certificates()).issueClient(ca, name, groups, validFor / day);
}

export async function requestUser({ name, groups }: NewUser): Promise<{ request: string; key: string }> {
  return (await certificates()).createSigningRequest(name, groups);
}
