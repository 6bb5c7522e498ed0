/** The limits of the tunnel: before the login (AGENT-3), for one connection and for one cluster (AGENT-6, AGENT-7). */

const mib = 1024 * 1024;

export interface TunnelLimits {
  /** Milliseconds from the first byte to the login. */
  loginTime: number;
  /** In milliseconds: before that, a login from an address with equally few does not replace it. */
  loginGrace: number;
  /** Concurrent connections that have not logged in. */
  loginsAtOnce: number;
  /** New connections per source and second, without those that log in; and successful logins per cluster and second. */
  loginsPerSecond: number;
  /** Wrong passwords and keys of one connection before it is closed. */
  loginFailures: number;
  /** Logged-in connections of one cluster. */
  connections: number;
  /** Channels of one cluster, over all its connections. On the agent: of one connection. */
  channels: number;
  /** Unread bytes of one cluster, over all its connections. On the agent: of one connection. */
  unread: number;
  /** Refused requests of one connection before it is closed. */
  refusals: number;
  /** Milliseconds that the other side has to open a channel. */
  openTime: number;
  /** Milliseconds of silence before a keepalive, and how many keepalives may stay unanswered. */
  keepaliveInterval: number;
  keepaliveCount: number;
  /** The server starts a key exchange after so many bytes, or milliseconds. */
  rekeyBytes: number;
  rekeyTime: number;
  /** Milliseconds that a key exchange may take. */
  kexTime: number;
  /** Bytes buffered for the socket before streams are paused. */
  unsent: number;
  /** Bytes of unread replies before the connection is closed. */
  unsentCut: number;
}

export const defaultLimits: TunnelLimits = {
  loginTime: 10_000,
  // A few round trips over a long distance.
  loginGrace: 2_000,
  loginsAtOnce: 50,
  loginsPerSecond: 10,
  loginFailures: 6,
  connections: 100,
  channels: 1000,
  unread: 64 * mib,
  refusals: 100,
  openTime: 10_000,
  // Silence is detected after 10 s * (3 + 1), within the 45 s of AGENT-6.
  keepaliveInterval: 10_000,
  keepaliveCount: 3,
  rekeyBytes: 1024 * mib,
  rekeyTime: 3_600_000,
  kexTime: 30_000,
  unsent: mib / 4,
  // For replies of 36 bytes, each of which takes ten times that while it is queued.
  unsentCut: 2 * mib,
};
