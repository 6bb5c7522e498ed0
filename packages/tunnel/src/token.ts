/**
 * What an agent logs in with: one line of text that names the cluster, holds 256 random bits, and pins the server's host key.
 *
 *     fleet-agent-1:NAME:SECRET:FINGERPRINT[,FINGERPRINT…]
 *
 * SECRET is base64url, FINGERPRINT the SHA-256 of the host key in base64url; several while the host key is changed. Only the SECRET is
 * sent, as the password of SSH user NAME, after the host key was found to be one of these.
 *
 * The server stores the SHA-256 of the SECRET. Whoever reads the control plane or a backup of it cannot log in with that. A hash made
 * to be slow is for passwords that can be guessed; 256 random bits cannot.
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

/** Throws without quoting the text: it may be a token that was mistyped. */
export function parseToken(text: string): AgentToken {
  const [kind, cluster = '', secret = '', pinned = '', ...rest] = text.trim().split(':');
  const fingerprints = pinned.split(',');
  const isWhole = kind === format && cluster !== '' && rest.length === 0 && [secret, ...fingerprints].every(is32Bytes);
  if (!isWhole) throw new Error(`this is no agent token: it has the form ${format}:NAME:SECRET:FINGERPRINT`);
  return { cluster, secret, fingerprints };
}

const is32Bytes = (text: string): boolean => text.length === encodedLength && /^[A-Za-z0-9_-]*$/.test(text);

/** What is stored: base64url, too. */
export const hashSecret = (secret: string): string => digestOf(secret).toString('base64url');

/** Compares with all of them, each in constant time: how long it takes shows neither how much nor which one matches. */
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
