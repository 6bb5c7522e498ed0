import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as Crypto);

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const year = 365 * 24 * 3600 * 1000;

/** A certificate and its private key, both PEM. */
export interface Pair {
  cert: string;
  key: string;
}

export interface Subject {
  /** The user's name, for Kubernetes. */
  name: string;
  /** The user's groups, for Kubernetes. */
  groups?: readonly string[];
  dns?: readonly string[];
  ips?: readonly string[];
}

export interface Authority {
  /** PEM. */
  cert: string;
  /** PEM. */
  key: string;
  issue(subject: Subject, validity?: Validity): Promise<Pair>;
}

/** From when until when a certificate counts. */
export interface Validity {
  notBefore: Date;
  notAfter: Date;
}

export async function createAuthority(name: string): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    serialNumber: serial(),
    name: [{ CN: [name] }],
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    cert: root.toString('pem'),
    key: await privatePem(keys.privateKey),
    issue: (subject, life) => issue(root, keys.privateKey, subject, life),
  };
}

/** An authority from its files, such as the product's own. */
export async function loadAuthority({ cert, key }: Pair): Promise<Authority> {
  const pkcs8 = x509.PemConverter.decodeFirst(key);
  const signingKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
  const root = new x509.X509Certificate(cert);
  return { cert, key, issue: (subject, life) => issue(root, signingKey, subject, life) };
}

/** The key that signs a member's service account tokens, and the one that checks them, both PEM. */
export async function createSigningKey(): Promise<{ private: string; public: string }> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const spki = await webcrypto.subtle.exportKey('spki', keys.publicKey);
  return { private: await privatePem(keys.privateKey), public: x509.PemConverter.encode(spki, 'PUBLIC KEY') };
}

async function issue(
  root: x509.X509Certificate,
  signingKey: CryptoKey,
  subject: Subject,
  life: Validity = validity(),
): Promise<Pair> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const names = [
    ...(subject.dns ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(subject.ips ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    ...life,
    serialNumber: serial(),
    subject: [...(subject.groups ?? []).map((group) => ({ O: [group] })), { CN: [subject.name] }],
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
      await x509.AuthorityKeyIdentifierExtension.create(root),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  return { cert: certificate.toString('pem'), key: await privatePem(keys.privateKey) };
}

function validity(): Validity {
  const now = Date.now();
  // begun a little earlier: the clocks of two machines differ
  return { notBefore: new Date(now - 60_000), notAfter: new Date(now + year) };
}

function serial(): string {
  return `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;
}

async function privatePem(key: CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
