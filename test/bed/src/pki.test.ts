import { X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { createAuthority } from './pki.ts';

it('issues certificates with a user, groups and addresses, signed by the authority', async () => {
  const authority = await createAuthority('ca');
  const subject = { name: 'jane', groups: ['one', 'two'], dns: ['localhost'], ips: ['127.0.0.1'] };
  const certificate = new X509Certificate((await authority.issue(subject)).cert);
  expect(certificate.subject.split('\n')).toEqual(['O=one', 'O=two', 'CN=jane']);
  expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1');
  const ca = new X509Certificate(authority.cert);
  expect(certificate.verify(ca.publicKey)).toBe(true);
  const other = new X509Certificate((await createAuthority('ca')).cert);
  expect(certificate.verify(other.publicKey)).toBe(false);
});
