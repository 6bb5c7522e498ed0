/**
 * The encryption keys: a file in the data directory that only its owner can read.
 *
 * Each line is `name:base64 of 32 bytes`. The first key encrypts, all decrypt: a key is rotated by adding a new line at the top.
 */

import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../store-error.ts';

export interface Key {
  name: string;
  secret: Buffer;
}

export type Keys = readonly [Key, ...Key[]];

const keyBytes = 32;
const longestName = 63;
const fileName = 'encryption.keys';

/** Creates the file with one key if there is none, unless the store has encrypted values, which a new key could not decrypt. */
export function openKeyFile(directory: string, hasEncryptedValues: () => boolean): Keys {
  const path = join(directory, fileName);
  if (!existsSync(path) && hasEncryptedValues()) {
    const message = `${path} is missing, and the store beside it is encrypted with its key: put the file back, from a backup`;
    throw new StoreError('unreadable', message);
  }
  try {
    create(path, directory);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
  }
  return read(path);
}

function create(path: string, directory: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, `key1:${randomBytes(keyBytes).toString('base64')}\n`);
    // Before a value depends on this key.
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  const parent = openSync(directory, 'r');
  fsyncSync(parent);
  closeSync(parent);
}

function read(path: string): Keys {
  const file = openSync(path, 'r');
  try {
    const mode = fstatSync(file).mode & 0o777;
    if (mode & 0o077) {
      throw new StoreError('unreadable', `${path} may be read by others (mode ${mode.toString(8)}): set it to 600`);
    }
    const [first, ...others] = parseKeys(readFileSync(file, 'utf8'), path);
    if (!first) throw new StoreError('unreadable', `${path} has no key`);
    return [first, ...others];
  } finally {
    closeSync(file);
  }
}

function parseKeys(text: string, path: string): Key[] {
  const keys = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      const [, name, encoded] = /^([A-Za-z0-9_-]+):([A-Za-z0-9+/]+={0,2})$/.exec(line.trimEnd()) ?? [];
      const secret = Buffer.from(encoded ?? '', 'base64');
      if (!name || name.length > longestName || secret.length !== keyBytes) {
        throw new StoreError('unreadable', `${path}:${index + 1}: not a name and ${keyBytes} bytes in base64`);
      }
      return { name, secret };
    });
  const twice = keys.find(({ name }, index) => keys.findIndex((other) => other.name === name) !== index);
  if (twice) throw new StoreError('unreadable', `${path}: two keys are named ${twice.name}`);
  return keys;
}
