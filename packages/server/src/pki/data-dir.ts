/** The data directory: CA, serving certificate and admin kubeconfig, made at the first start and kept (AUTHN-3). */

import { X509Certificate } from 'node:crypto';
import { rename, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { KeyPair } from '@fleet/apiserver/pki/certificates.ts';
import { makeFolder } from '@fleet/client/make-folder.ts';
import { openPrivateFolder, openTo, readIfThere, writePrivate } from '@fleet/client/private-file.ts';
import { adminKubeconfig, readKubeconfig } from './admin-kubeconfig.ts';

/** Loaded only if a certificate has to be made, which is rare. */
const certificates = () => import('@fleet/apiserver/pki/certificates.ts');

export interface Pki {
  ca: KeyPair;
  serving: KeyPair;
}

/** In milliseconds: a certificate with less time left is renewed at the start. */
const renewBefore = 30 * 24 * 60 * 60 * 1000;

async function keyPair(
  folder: string,
  name: string,
  make: () => Promise<KeyPair>,
  good: (cert: X509Certificate) => boolean,
  warn: (text: string) => void,
) {
  const keyFile = join(folder, `${name}.key`);
  const [cert, key] = await Promise.all([readIfThere(join(folder, `${name}.crt`)), readIfThere(keyFile)]);
  if (cert && key && good(new X509Certificate(cert))) {
    const mode = await openTo(keyFile);
    if (mode !== undefined) warn(`the private key ${keyFile} is open to others (mode ${mode}): set it to 600`);
    return { cert, key };
  }
  const made = await make();
  await writePrivate(keyFile, made.key);
  await writePrivate(join(folder, `${name}.crt`), made.cert);
  return made;
}

const lasts = (cert: X509Certificate): boolean => cert.validToDate.getTime() - Date.now() > renewBefore;

const covers = (cert: X509Certificate, names: readonly string[]): boolean =>
  names.every((name) => (isIP(name) ? cert.checkIP(name) : cert.checkHost(name)) !== undefined);

/** An existing directory may hold other files, so its mode is not changed. The files that are made in it are for their owner only. */
export async function openDataDir(path: string, warn: (text: string) => void): Promise<void> {
  await makeFolder(path).catch((cause: Error) => {
    throw new Error(`the data directory ${path} cannot be made: ${cause.message}`, { cause });
  });
  if (!(await stat(path)).isDirectory()) throw new Error(`the data directory ${path} is not a directory`);
  const mode = await openTo(path);
  if (mode !== undefined) warn(`the data directory is open to others (mode ${mode}): set it to 700`);
}

/** `hosts`: the names by which clients reach this server. */
export async function openPki(
  dataDir: string,
  hosts: readonly string[],
  warn: (text: string) => void = () => {},
): Promise<Pki> {
  const folder = join(dataDir, 'pki');
  await openPrivateFolder(folder, warn);
  const ca = await keyPair(
    folder,
    'ca',
    async () => (await certificates()).createCa('fleet-ca'),
    () => true,
    warn,
  );
  const names = [...new Set(['localhost', '127.0.0.1', '::1', hostname(), ...hosts])];
  const issued = new X509Certificate(ca.cert);
  const serving = await keyPair(
    folder,
    'serving',
    async () => (await certificates()).issueServing(ca, names),
    (cert) => lasts(cert) && covers(cert, names) && cert.verify(issued.publicKey),
    warn,
  );
  return { ca, serving };
}

/** Its cluster entry has this server's URL and CA; entries and settings of its user stay. `others`: further trusted CAs. */
export async function writeAdminKubeconfig(
  dataDir: string,
  server: string,
  ca: KeyPair,
  others: readonly string[] = [],
  warn: (text: string) => void = () => {},
): Promise<string> {
  const path = join(dataDir, 'admin.kubeconfig');
  const issued = new X509Certificate(ca.cert);
  const admin = await keyPair(
    join(dataDir, 'pki'),
    'admin',
    async () => (await certificates()).issueClient(ca, 'fleet:admin', ['fleet:admins']),
    (cert) => lasts(cert) && cert.verify(issued.publicKey),
    warn,
  );
  const text = await readIfThere(path);
  const kept = text ? readKubeconfig(text) : undefined;
  // An existing file that is no kubeconfig is kept under another name.
  if (text && !kept) await rename(path, `${path}.old`);
  await writePrivate(path, adminKubeconfig(kept, server, [ca.cert, ...others].join('\n'), admin));
  return path;
}
