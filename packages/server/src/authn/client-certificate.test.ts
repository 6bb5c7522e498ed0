import { X509Certificate } from 'node:crypto';
import { createCa, issueClient, type KeyPair } from '@fleet/apiserver/pki/certificates.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Incoming } from '../http/message.ts';
import { clientCertificates } from './client-certificate.ts';

let fleetCa: KeyPair;
let otherCa: KeyPair;

beforeAll(async () => {
  [fleetCa, otherCa] = await Promise.all([createCa('fleet-ca'), createCa('kubernetes')]);
  otherCas = [otherCa.cert];
});

const showing = (pair: KeyPair): Incoming => ({ certificate: new X509Certificate(pair.cert) }) as unknown as Incoming;
const authenticate = (pair: KeyPair) => clientCertificates(fleetCa.cert, () => otherCas).authenticate(showing(pair));
let otherCas: readonly string[];

describe('AUTHN-1: client certificates', () => {
  it('CN is the user, each O a group', async () => {
    expect(await authenticate(await issueClient(otherCa, 'alice', ['devs', 'ops']))).toEqual({
      name: 'alice',
      uid: undefined,
      groups: ['devs', 'ops', 'system:authenticated'],
      extra: {},
      origin: 'other',
    });
  });

  it('IMP-5: only the product’s own CA proves names of its own space', async () => {
    expect(await authenticate(await issueClient(fleetCa, 'fleet:admin', ['fleet:admins']))).toMatchObject({
      origin: 'fleet-ca',
    });
    expect(await authenticate(await issueClient(otherCa, 'fleet:admin', ['fleet:admins']))).toMatchObject({
      origin: 'other',
    });
  });

  it('IMP-5: a CA of the same name is not the product’s CA', async () => {
    const impostor = await createCa('fleet-ca');
    await expect(authenticate(await issueClient(impostor, 'fleet:admin', []))).rejects.toMatchObject({ code: 401 });
  });

  it('AUTHN-3: a CA that came or went counts from the next request on, on open connections too', async () => {
    const [newCa, alice] = await Promise.all([createCa('new'), issueClient(otherCa, 'alice', [])]);
    let cas: readonly string[] = [otherCa.cert];
    const authenticator = clientCertificates(fleetCa.cert, () => cas);
    expect(await authenticator.authenticate(showing(alice))).toMatchObject({ name: 'alice' });
    cas = [newCa.cert];
    await expect(authenticator.authenticate(showing(alice))).rejects.toMatchObject({ code: 401 });
    const bob = await issueClient(newCa, 'bob', []);
    expect(await authenticator.authenticate(showing(bob))).toMatchObject({ name: 'bob' });
  });

  it.each(['alice+ops@example.com', 'a, b', 'O=system:masters', 'jörg ☃', 'a"b;<c>', ' padded '])(
    'the name %j is read as it stands in the certificate',
    async (name) => {
      const user = await authenticate(await issueClient(otherCa, name, [name]));
      expect(user).toMatchObject({ name, groups: [name, 'system:authenticated'] });
    },
  );

  it('a line break in a name makes no second group', async () => {
    const user = await authenticate(await issueClient(otherCa, 'eve\nO=system:masters', []));
    expect(user?.groups).toEqual(['system:authenticated']);
  });

  it('a certificate that expired while its connection was open is 401', async () => {
    const pair = await issueClient(otherCa, 'alice', []);
    vi.useFakeTimers({ now: Date.now() + 366 * 24 * 60 * 60 * 1000, toFake: ['Date'] });
    try {
      await expect(authenticate(pair)).rejects.toMatchObject({ code: 401 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('a certificate without a CN is 401; none at all is for the next authenticator', async () => {
    await expect(authenticate(await issueClient(otherCa, '', ['devs']))).rejects.toMatchObject({ code: 401 });
    const none = { certificate: undefined } as unknown as Incoming;
    expect(await clientCertificates(fleetCa.cert, () => []).authenticate(none)).toBeUndefined();
  });
});
