/** The bounds of the tunnel: of those who are not logged in (AGENT-3), of one connection and of one cluster (AGENT-6, AGENT-7). */

const mib = 1024 * 1024;

export interface TunnelLimits {
  /** Milliseconds from the first byte to the login. */
  loginTime: number;
  /** Milliseconds for which it need not make room for a login of another address that has as few. */
  loginGrace: number;
  /** Connections without a login, at once. */
  loginsAtOnce: number;
  /** New connections of one source, in a second, but for those that log in; and of one cluster those that do. */
  loginsPerSecond: number;
  /** Wrong passwords and keys of one connection before it is closed. */
  loginFailures: number;
  /** Connections of one cluster that have logged in. */
  connections: number;
  /** Channels of one cluster, over all of its connections. On the agent: of one connection. */
  channels: number;
  /** Unread bytes of one cluster, over all of its connections. On the agent: of one connection. */
  unread: number;
  /** Requests of one connection that may be refused before it is closed. */
  refusals: number;
  /** Milliseconds for the other side to open a channel. */
  openTime: number;
  /** Milliseconds of silence before a keepalive, and how many of them may stay unanswered. */
  keepaliveInterval: number;
  keepaliveCount: number;
  /** The server asks for new keys after so many bytes, or milliseconds. */
  rekeyBytes: number;
  rekeyTime: number;
  /** Milliseconds that a key exchange may take. */
  kexTime: number;
  /** Bytes that wait in the process for the socket before streams are held back. */
  unsent: number;
  /** Bytes of replies that the other side may leave unread before the connection is closed. */
  unsentCut: number;
}

export const defaultLimits: TunnelLimits = {
  loginTime: 10_000,
  // Some round trips, each of a long way.
  loginGrace: 2_000,
  loginsAtOnce: 50,
  loginsPerSecond: 10,
  loginFailures: 6,
  connections: 100,
  channels: 1000,
  unread: 64 * mib,
  refusals: 100,
  openTime: 10_000,
  // Silence is noticed after 10 s * (3 + 1), within the 45 s of AGENT-6.
  keepaliveInterval: 10_000,
  keepaliveCount: 3,
  rekeyBytes: 1024 * mib,
  rekeyTime: 3_600_000,
  kexTime: 30_000,
  unsent: mib / 4,
  // Of replies of 36 bytes, each of which takes ten times that while it waits.
  unsentCut: 2 * mib,
};
