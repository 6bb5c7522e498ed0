/** What both ends offer (AGENT-2). */

import type { Algorithms, Negotiated, Protocol } from 'ssh2';

/** AES-256-GCM was the fastest of those measured. CTR with a MAC is for clients that were built without GCM, such as dropbear's. */
export const algorithms: Algorithms = {
  // Two names of one algorithm. dropbear sends its first packet on the guess that the first of both sides is the same, and ssh2 drops
  // such a packet, also where the guess was right (it compares with the first letter). With the older name first it is never right.
  kex: ['curve25519-sha256@libssh.org', 'curve25519-sha256'],
  serverHostKey: ['ssh-ed25519'],
  cipher: ['aes256-gcm@openssh.com', 'aes128-gcm@openssh.com', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256'],
  compress: ['none'],
};

/** Nothing of this product's or the library's version is sent before the login. */
export const ident = 'fleet';

/**
 * Without strict key exchange somebody in between can drop the first packets (Terrapin, CVE-2023-48795) where a cipher counts packets
 * and authenticates them by a MAC of its own. AES-GCM is not affected.
 */
export const isSafe = ({ _strictMode }: Protocol, { cs, sc }: Negotiated): boolean =>
  _strictMode === true || [cs, sc].every(({ cipher }) => cipher.includes('gcm'));
