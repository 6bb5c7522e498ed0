/**
 * The format of an encrypted value.
 *
 *   fleet:enc:v1: name of the key :   nonce (12 bytes)   tag (16 bytes)   AES-256-GCM of the value
 *
 * The store's key is authenticated with it, so that a value cannot be moved to another object. Nonces are random: one key is
 * safe for 2^32 writes.
 */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { StoreError } from '../store-error.ts';
import type { Keys } from './key-file.ts';

const magic = 'fleet:enc:v1:';
const nonceLength = 12;
const tagLength = 16;
/** The maximum offset at which the key's name ends. */
const longestHead = magic.length + 64;

export function seal([{ name, secret }]: Keys, key: string, value: Uint8Array): Uint8Array {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(key));
  const text = cipher.update(value);
  cipher.final();
  return Buffer.concat([Buffer.from(`${magic}${name}:`), nonce, cipher.getAuthTag(), text]);
}

export function unseal(keys: Keys, key: string, sealed: Uint8Array): { value: Uint8Array; stale: boolean } {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const head = bytes.toString('latin1', 0, longestHead);
  const nameEnd = head.startsWith(magic) ? head.indexOf(':', magic.length) : -1;
  if (nameEnd < 0) throw new StoreError('unreadable', `${key} should be encrypted and is not`);
  const name = head.slice(magic.length, nameEnd);
  const used = keys.find((one) => one.name === name);
  if (!used)
    throw new StoreError('unreadable', `${key} is encrypted with the key ${name}, which is not in the key file`);
  const nonce = bytes.subarray(nameEnd + 1, nameEnd + 1 + nonceLength);
  const text = bytes.subarray(nameEnd + 1 + nonceLength + tagLength);
  try {
    const decipher = createDecipheriv('aes-256-gcm', used.secret, nonce, { authTagLength: tagLength })
      .setAAD(Buffer.from(key))
      .setAuthTag(bytes.subarray(nameEnd + 1 + nonceLength, nameEnd + 1 + nonceLength + tagLength));
    const value = decipher.update(text);
    decipher.final();
    return { value, stale: used !== keys[0] };
  } catch (cause) {
    throw new StoreError('unreadable', `${key} cannot be decrypted with the key ${name}`, { cause });
  }
}
