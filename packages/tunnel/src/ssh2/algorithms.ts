/** The algorithms that both sides offer (AGENT-2). */

import type { Algorithms, Negotiated, Protocol } from 'ssh2';

/** AES-256-GCM was the fastest of those measured. CTR with a MAC is for clients that were built without GCM, such as dropbear's. */
export const algorithms: Algorithms = {
  // Two names of one algorithm. dropbear sends its first packet on the guess that both sides have the same first algorithm. ssh2 drops
  // such a packet even if the guess was right, as it compares only the first letter. With the older name first the guess is never right.
  kex: ['curve25519-sha256@libssh.org', 'curve25519-sha256'],
  serverHostKey: ['ssh-ed25519'],
  cipher: ['aes256-gcm@openssh.com', 'aes128-gcm@openssh.com', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256'],
  compress: ['none'],
};

/** Does not reveal the version of the product or the library before the login. */
export const ident = 'fleet';

/**
 * Without strict key exchange a man in the middle can drop the first packets (Terrapin, CVE-2023-48795) if the cipher counts packets
 * and authenticates them by a separate MAC. AES-GCM is not affected.
 */
export const isSafe = ({ _strictMode }: Protocol, { cs, sc }: Negotiated): boolean =>
  _strictMode === true || [cs, sc].every(({ cipher }) => cipher.includes('gcm'));
