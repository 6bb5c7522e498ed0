/**
 * The token of an agent: one line of text that names the cluster, holds a secret of 256 random bits, and pins the server's host key.
 *
 *     fleet-agent-1:NAME:SECRET:FINGERPRINT[,FINGERPRINT…]
 *
 * SECRET is base64url, FINGERPRINT the SHA-256 of the host key in base64url; there are several while the host key is rotated. Only the
 * SECRET is sent, as the password of SSH user NAME, after the server has proved one of these host keys.
 *
 * The server stores the SHA-256 of the SECRET, with which a reader of the control plane or of a backup cannot log in. A slow password
 * hash is not needed: 256 random bits cannot be guessed.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const format = 'fleet-agent-1';
const secretBytes = 32;
/** Of 32 bytes. */
const encodedLength = 43;

export interface AgentToken {
  cluster: string;
  secret: string;
  /** SHA-256 of host keys, base64url. */
  fingerprints: readonly string[];
}

export const makeToken = (cluster: string, fingerprints: readonly string[]): AgentToken => ({
  cluster,
  secret: randomBytes(secretBytes).toString('base64url'),
  fingerprints,
});

export const formatToken = ({ cluster, secret, fingerprints }: AgentToken): string =>
  [format, cluster, secret, fingerprints.join(',')].join(':');

/** Throws without quoting the text, which may be a mistyped token. */
export function parseToken(text: string): AgentToken {
  const [kind, cluster = '', secret = '', pinned = '', ...rest] = text.trim().split(':');
  const fingerprints = pinned.split(',');
  const isWhole = kind === format && cluster !== '' && rest.length === 0 && [secret, ...fingerprints].every(is32Bytes);
  if (!isWhole) throw new Error(`this is not an agent token, which has the form ${format}:NAME:SECRET:FINGERPRINT`);
  return { cluster, secret, fingerprints };
}

const is32Bytes = (text: string): boolean => text.length === encodedLength && /^[A-Za-z0-9_-]*$/.test(text);

/** The stored form, base64url. */
export const hashSecret = (secret: string): string => digestOf(secret).toString('base64url');

/** Compares with all hashes in constant time, so that the duration reveals neither a partial match nor which one matches. */
export function matchesSecret(secret: string, hashes: readonly string[]): boolean {
  const digest = digestOf(secret);
  let matches = false;
  for (const hash of hashes) {
    const stored = Buffer.from(hash, 'base64url');
    const isSame = stored.length === digest.length && timingSafeEqual(stored, digest);
    matches ||= isSame;
  }
  return matches;
}

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
