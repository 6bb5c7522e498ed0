/** The server's host key, in the formats in which it is stored, pinned and printed. */

import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';

export interface HostKey {
  /** In OpenSSH's format. */
  privateKey: string;
  /** For known_hosts: `ssh-ed25519 AAAA…`. */
  publicKey: string;
  /** SHA-256 of the public key, base64url, for tokens. */
  fingerprint: string;
}

/*
 * OpenSSH's file format, in base64 between two lines. `string` is a length of four bytes and as many bytes:
 *
 *     "openssh-key-v1\0", string cipher, string kdf, string kdf options, uint32 number of keys,
 *     string public key, string private keys
 *
 *     public key:   string "ssh-ed25519", string 32 bytes
 *     private keys: uint32 check, uint32 the same, the public key, string 64 bytes (seed, public key), string comment, 1 2 3… up to
 *                   a multiple of 8
 *
 * Implemented here so that a server without agents need not load the library.
 */
const [begin, end] = ['-----BEGIN OPENSSH PRIVATE KEY-----', '-----END OPENSSH PRIVATE KEY-----'];
const magic = Buffer.from('openssh-key-v1\0');
const type = 'ssh-ed25519';
const blockSize = 8;

export function makeHostKey(): HostKey {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [shown, seed] = [Buffer.from(x, 'base64url'), Buffer.from(d, 'base64url')];
  const publicKey = Buffer.concat([string(type), string(shown)]);
  const check = randomBytes(4);
  const keys = Buffer.concat([check, check, publicKey, string(Buffer.concat([seed, shown])), string('fleet')]);
  const padding = Buffer.from(Array.from({ length: -keys.length & (blockSize - 1) }, (_, index) => index + 1));
  const plain = [string('none'), string('none'), string('')];
  const file = Buffer.concat([magic, ...plain, uint32(1), string(publicKey), string(Buffer.concat([keys, padding]))]);
  const lines = file.toString('base64').match(/.{1,70}/g) ?? [];
  return readHostKey([begin, ...lines, end, ''].join('\n'));
}

/** Throws if the key is not of type ed25519, or is encrypted. */
export function readHostKey(privateKey: string): HostKey {
  const [, text] = privateKey.split(begin);
  const file = Buffer.from(text?.split(end)[0] ?? '', 'base64');
  if (!file.subarray(0, magic.length).equals(magic))
    throw new Error("the host key cannot be read: it is not a private key in OpenSSH's format");
  const [cipher, afterCipher] = readString(file, magic.length);
  if (cipher.toString() !== 'none') throw new Error('the host key cannot be read: it is encrypted');
  const [, afterKdf] = readString(file, afterCipher);
  const [, afterOptions] = readString(file, afterKdf);
  const [publicKey] = readString(file, afterOptions + 4);
  if (!publicKey.subarray(0, type.length + 4).equals(string(type)))
    throw new Error('the host key is not of type ed25519');
  return { privateKey, publicKey: `${type} ${publicKey.toString('base64')}`, fingerprint: fingerprintOf(publicKey) };
}

export const fingerprintOf = (publicKey: Buffer): string => createHash('sha256').update(publicKey).digest('base64url');

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const string = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
};

/** Returns the string, and the offset of the next one. */
function readString(bytes: Buffer, at: number): [Buffer, number] {
  const isWhole = at + 4 <= bytes.length && at + 4 + bytes.readUInt32BE(at) <= bytes.length;
  if (!isWhole) throw new Error('the host key cannot be read: it is truncated');
  const next = at + 4 + bytes.readUInt32BE(at);
  return [bytes.subarray(at + 4, next), next];
}
