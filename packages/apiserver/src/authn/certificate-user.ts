/** The user of a verified client certificate: CN is the name, each O a group. */

import { createHash, type X509Certificate } from 'node:crypto';
import { allAuthenticated, type User } from './user.ts';

/** From the fields themselves: `subject` as text escapes commas, pluses and the like. */
function valuesOf(certificate: X509Certificate, attribute: 'CN' | 'O'): string[] {
  const subject = certificate.toLegacyObject().subject as Partial<Record<string, string | string[]>> | undefined;
  return [subject?.[attribute] ?? []].flat();
}

const credentialId = 'authentication.kubernetes.io/credential-id';

/** Undefined if it has no name. */
export function certificateUser(certificate: X509Certificate): User | undefined {
  const [name] = valuesOf(certificate, 'CN');
  if (!name) return undefined;
  const digest = createHash('sha256').update(certificate.raw).digest('hex');
  return {
    name,
    groups: [...valuesOf(certificate, 'O'), allAuthenticated],
    extra: { [credentialId]: [`X509SHA256=${digest}`] },
  };
}
