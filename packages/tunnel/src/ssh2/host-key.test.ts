import ssh2 from 'ssh2';
import { expect, it } from 'vitest';
import { makeHostKey, readHostKey } from './host-key.ts';

it('AGENT-3: a host key is one that the library reads, with the same public key', () => {
  for (let times = 0; times < 20; times++) {
    const made = makeHostKey();
    const read = ssh2.utils.parseKey(made.privateKey);
    if (read instanceof Error) throw read;
    expect(`${read.type} ${read.getPublicSSH().toString('base64')}`).toBe(made.publicKey);
    const signature = read.sign(Buffer.from('text'));
    if (signature instanceof Error) throw signature;
    expect(read.verify(Buffer.from('text'), signature)).toBe(true);
    expect(readHostKey(made.privateKey)).toEqual(made);
  }
});

it('a key that the library wrote is read', () => {
  const { private: privateKey, public: publicKey } = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'fleet' });
  expect(`${readHostKey(privateKey).publicKey} fleet`).toBe(publicKey);
});

it.each([
  ['nothing', '', 'is not a private key in'],
  ['another type', ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private, 'is not of type ed25519'],
  [
    'an encrypted one',
    ssh2.utils.generateKeyPairSync('ed25519', { passphrase: 'p', cipher: 'aes256-cbc', rounds: 4 }).private,
    'is encrypted',
  ],
  ['half of one', makeHostKey().privateKey.slice(0, 80), 'is truncated'],
])('%s is refused', (_, text, why) => {
  expect(() => readHostKey(text)).toThrow(why);
});
