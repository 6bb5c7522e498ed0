/** Authenticates client certificates: CN is the user name, each O a group. */

import { X509Certificate } from 'node:crypto';
import { unauthorized } from '@fleet/kube/status.ts';
import type { Authenticator } from './authenticate.ts';
import type { User } from './user.ts';

interface Trusted {
  ca: X509Certificate;
  origin: User['origin'];
}

/** Read from the fields themselves: the text of `subject` escapes commas, pluses and the like. */
function valuesOf(certificate: X509Certificate, attribute: 'CN' | 'O'): string[] {
  const subject = certificate.toLegacyObject().subject as Partial<Record<string, string | string[]>> | undefined;
  return [subject?.[attribute] ?? []].flat();
}

const issued = (certificate: X509Certificate, { ca }: Trusted): boolean =>
  certificate.checkIssued(ca) && certificate.verify(ca.publicKey);

const longestChain = 8;

/** Which CA the chain leads to. A leaf of an intermediate CA is trusted, but not as one of the product's own. */
function originOf(leaf: X509Certificate, trusted: readonly Trusted[]): User['origin'] | undefined {
  let link: X509Certificate | undefined = leaf;
  for (let length = 0; link && length < longestChain; length++) {
    const certificate: X509Certificate = link;
    const issuer = trusted.find((one) => issued(certificate, one));
    if (issuer) return length === 0 ? issuer.origin : 'other';
    link = certificate.issuerCertificate;
  }
  return undefined;
}

/** Undefined if the certificate has no CN, or leads to no CA that is trusted now. */
function userOf(certificate: X509Certificate, trusted: readonly Trusted[]): User | undefined {
  const origin = originOf(certificate, trusted);
  const name = valuesOf(certificate, 'CN')[0];
  if (!name || !origin) return undefined;
  return { name, uid: undefined, groups: [...valuesOf(certificate, 'O'), 'system:authenticated'], extra: {}, origin };
}

interface Dated {
  user: User | undefined;
  from: number;
  to: number;
}

/** TLS has verified the chain at the handshake. Which CA it leads to decides whether reserved names count. */
export function clientCertificates(fleetCa: string, otherCas: () => readonly string[]): Authenticator {
  const own: Trusted = { ca: new X509Certificate(fleetCa), origin: 'fleet-ca' };
  let cas: readonly string[] | undefined;
  let trusted: Trusted[] = [];
  // A connection has one certificate for all its requests, and verifying it costs more than most of them.
  let known = new WeakMap<X509Certificate, Dated>();
  const read = (certificate: X509Certificate): Dated => {
    const dates = { from: certificate.validFromDate.getTime(), to: certificate.validToDate.getTime() };
    const dated = { user: userOf(certificate, trusted), ...dates };
    known.set(certificate, dated);
    return dated;
  };
  return {
    async authenticate({ certificate }) {
      if (!certificate) return undefined;
      if (cas !== otherCas()) {
        cas = otherCas();
        trusted = [own, ...cas.map((pem) => ({ ca: new X509Certificate(pem), origin: 'other' as const }))];
        known = new WeakMap();
      }
      const { user, from, to } = known.get(certificate) ?? read(certificate);
      // The handshake may be hours old: dates and CAs are checked with each request, as in kube-apiserver.
      const now = Date.now();
      if (!user || now > to || now < from) throw unauthorized();
      return user;
    },
  };
}
