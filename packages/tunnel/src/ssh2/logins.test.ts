/** Which signatures prove that a client holds a key, with real keys of each kind. */

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import ssh2, { type AuthContext, type Key } from 'ssh2';
import { describe, expect, test } from 'vitest';
import { Logins } from './logins.ts';

const blob = Buffer.from('what the client signs');

/** The second field of a line of authorized_keys. */
function wireOf(...fields: (string | Buffer)[]): Buffer {
  return Buffer.concat(
    fields.flatMap((field) => {
      const bytes = Buffer.from(field as string);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** The numbers of a DER structure, in order. */
function numbersOf(der: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < der.length; ) {
    const tag = der[at]!;
    const short = der[at + 1]!;
    const extra = short > 127 ? short & 0x7f : 0;
    const length = extra > 0 ? der.readUIntBE(at + 2, extra) : short;
    const start = at + 2 + extra;
    const value = der.subarray(start, start + length);
    if (tag === 0x02) found.push(value);
    // Sequences are descended into; the bit string of the key has a leading byte of its own.
    at = tag === 0x30 ? start : tag === 0x03 ? start + 1 : start + length;
  }
  return found;
}

function rsaKey(): { privateKey: KeyObject; data: Buffer } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = ssh2.utils.parseKey(privateKey.export({ format: 'pem', type: 'pkcs1' }) as string) as Key;
  return { privateKey, data: key.getPublicSSH() };
}

function dsaKey(): { privateKey: KeyObject; data: Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 });
  const numbers = numbersOf(publicKey.export({ format: 'der', type: 'spki' }));
  return { privateKey, data: wireOf('ssh-dss', ...numbers) };
}

/** The answer to a client whose key is the cluster's. */
function attempt(context: Pick<AuthContext, 'key' | 'hashAlgo' | 'signature'>): Promise<'accepted' | 'rejected'> {
  const { promise, resolve, reject } = Promise.withResolvers<'accepted' | 'rejected'>();
  const isKnown = (publicKey: Buffer) => publicKey.equals(context.key.data);
  const handlers = {
    authenticate: (login: Parameters<ConstructorParameters<typeof Logins>[0]['authenticate']>[0]) =>
      login.by === 'key' && isKnown(login.publicKey),
    loginFailed: () => {},
  };
  new Logins(handlers, 6, reject).attempt({
    username: 'gondor',
    method: 'publickey',
    password: '',
    blob: context.signature && blob,
    accept: () => resolve('accepted'),
    reject: () => resolve('rejected'),
    ...context,
  });
  return promise;
}

describe('AGENT-3: a key logs in by a signature that cannot be forged', () => {
  const rsa = rsaKey();

  test.each(['sha256', 'sha512'])('of RSA with %s', async (hashAlgo) => {
    const key = { algo: 'ssh-rsa', data: rsa.data };
    const signature = sign(hashAlgo, blob, rsa.privateKey);
    expect(await attempt({ key, hashAlgo, signature })).toBe('accepted');
    expect(await attempt({ key, hashAlgo, signature: sign(hashAlgo, Buffer.from('else'), rsa.privateKey) })).toBe(
      'rejected',
    );
  });

  // ssh2 names no hash if the client's algorithm is ssh-rsa, which is SHA-1.
  test('not of RSA with SHA-1, nor does such a key do when a client asks', async () => {
    const key = { algo: 'ssh-rsa', data: rsa.data };
    const signature = sign('sha1', blob, rsa.privateKey);
    expect(await attempt({ key, hashAlgo: undefined, signature })).toBe('rejected');
    expect(await attempt({ key, hashAlgo: undefined, signature: undefined })).toBe('rejected');
  });

  test('not of DSA, which has SHA-1 only, nor does such a key do when a client asks', async () => {
    const dsa = dsaKey();
    const key = { algo: 'ssh-dss', data: dsa.data };
    const signature = sign('sha1', blob, dsa.privateKey);
    // The signature itself is valid.
    expect((ssh2.utils.parseKey(dsa.data) as Key).verify(blob, signature)).toBe(true);
    expect(await attempt({ key, hashAlgo: undefined, signature })).toBe('rejected');
    expect(await attempt({ key, hashAlgo: undefined, signature: undefined })).toBe('rejected');
  });
});
