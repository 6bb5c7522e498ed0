/** Creates certificates: the product's own CA, its serving certificate, and client certificates for users. */

import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  PemConverter,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

export interface KeyPair {
  cert: string;
  key: string;
}

type CryptoKey = webcrypto.CryptoKey;
type CryptoKeyPair = webcrypto.CryptoKeyPair;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const day = 24 * 60 * 60 * 1000;
/** Clocks differ: a new certificate must be valid for a client whose clock is slightly behind. */
const backdate = 5 * 60 * 1000;

const generateKeys = (): Promise<CryptoKeyPair> =>
  webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<CryptoKeyPair>;

const pemOfKey = async (key: CryptoKey): Promise<string> =>
  PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');

const keyOfPem = (pem: string): Promise<CryptoKey> =>
  webcrypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), algorithm, false, ['sign']);

const validity = (days: number) => ({
  notBefore: new Date(Date.now() - backdate),
  notAfter: new Date(Date.now() + days * day),
});

export async function createCa(commonName: string): Promise<KeyPair> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: [{ CN: [commonName] }],
      keys: keys as never,
      signingAlgorithm: algorithm,
      ...validity(3650),
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(
          KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign | KeyUsageFlags.digitalSignature,
          true,
        ),
        await SubjectKeyIdentifierExtension.create(keys.publicKey as never),
      ],
    },
    webcrypto as never,
  );
  return { cert: certificate.toString('pem'), key: await pemOfKey(keys.privateKey) };
}

interface Subject {
  CN: string[];
  O?: string[];
}

/** Plain strings would be parsed: `#…` as DER in hex, `\` as an escape, quotes as quotes. */
const subjectOf = ({ CN, O = [] }: Subject): Name =>
  new Name([
    ...CN.map((utf8String) => ({ CN: [{ utf8String }] })),
    ...O.map((utf8String) => ({ O: [{ utf8String }] })),
  ]);

async function issue(
  ca: KeyPair,
  subject: Subject,
  days: number,
  usage: ExtendedKeyUsage,
  more: Extension[],
): Promise<KeyPair> {
  const keys = await generateKeys();
  const issuer = new X509Certificate(ca.cert);
  const certificate = await X509CertificateGenerator.create(
    {
      subject: subjectOf(subject),
      issuer: issuer.subject,
      publicKey: keys.publicKey as never,
      signingKey: (await keyOfPem(ca.key)) as never,
      signingAlgorithm: algorithm,
      ...validity(days),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([usage]),
        await AuthorityKeyIdentifierExtension.create(issuer as never),
        ...more,
      ],
    },
    webcrypto as never,
  );
  return { cert: certificate.toString('pem'), key: await pemOfKey(keys.privateKey) };
}

export const issueServing = (ca: KeyPair, names: readonly string[]): Promise<KeyPair> =>
  issue(ca, { CN: ['fleet'] }, 365, ExtendedKeyUsage.serverAuth, [
    new SubjectAlternativeNameExtension(names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value }))),
  ]);

export const issueClient = (ca: KeyPair, user: string, groups: readonly string[], days = 365): Promise<KeyPair> =>
  issue(ca, { CN: [user], O: [...groups] }, days, ExtendedKeyUsage.clientAuth, []);

/** For a CertificateSigningRequest: the request as PEM, and the private key, which is not sent. */
export async function createSigningRequest(
  user: string,
  groups: readonly string[],
): Promise<{ request: string; key: string }> {
  const keys = await generateKeys();
  const request = await Pkcs10CertificateRequestGenerator.create(
    { name: subjectOf({ CN: [user], O: [...groups] }), keys: keys as never, signingAlgorithm: algorithm },
    webcrypto as never,
  );
  return { request: request.toString('pem'), key: await pemOfKey(keys.privateKey) };
}
