/** Client certificates: CN is the user, each O a group. */

import { X509Certificate } from 'node:crypto';
import { unauthorized } from '@fleet/kube/status.ts';
import type { Authenticator } from './authenticate.ts';
import type { User } from './user.ts';

interface Trusted {
  ca: X509Certificate;
  origin: User['origin'];
}

/** From the fields themselves: `subject` as text escapes commas, pluses and the like. */
function valuesOf(certificate: X509Certificate, attribute: 'CN' | 'O'): string[] {
  const subject = certificate.toLegacyObject().subject as Partial<Record<string, string | string[]>> | undefined;
  return [subject?.[attribute] ?? []].flat();
}

/** TLS has checked the chain; which CA it leads to tells what its names are worth. */
export function clientCertificates(fleetCa: string, otherCas: readonly string[]): Authenticator {
  const trusted: Trusted[] = [
    { ca: new X509Certificate(fleetCa), origin: 'fleet-ca' },
    ...otherCas.map((pem) => ({ ca: new X509Certificate(pem), origin: 'elsewhere' as const })),
  ];
  return {
    async authenticate({ certificate }) {
      if (!certificate) return undefined;
      // The handshake may be hours old: kube-apiserver looks at the dates of each request, too.
      const now = Date.now();
      if (now > certificate.validToDate.getTime() || now < certificate.validFromDate.getTime()) throw unauthorized();
      const issuer = trusted.find(({ ca }) => certificate.checkIssued(ca) && certificate.verify(ca.publicKey));
      const name = valuesOf(certificate, 'CN')[0];
      // An intermediate's leaf is trusted by TLS, but not as one of the product's own.
      if (!name) throw unauthorized();
      return {
        name,
        uid: undefined,
        groups: [...valuesOf(certificate, 'O'), 'system:authenticated'],
        extra: {},
        origin: issuer?.origin ?? 'elsewhere',
      };
    },
  };
}
