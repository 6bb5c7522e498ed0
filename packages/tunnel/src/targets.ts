/**
 * The targets that can be reached through an agent. An agent registers a target by the SSH request `tcpip-forward` with the target's
 * name as the bind address and port 443, so that `ssh -R kubernetes:443:HOST:PORT` works, too. The server opens `forwarded-tcpip`
 * channels for registered targets only.
 */

export type Target = 'kubernetes' | 'kubesphere';

export const targets: readonly Target[] = ['kubernetes', 'kubesphere'];

export const targetPort = 443;

/** Undefined for an address that an agent is not allowed to register. */
export const targetOf = (address: string, port: number): Target | undefined =>
  port === targetPort ? targets.find((target) => target === address) : undefined;

/** The purpose of a stream. Bulk: lists, watches, logs, reflectors. A connection of a stock ssh is used for both. */
export type StreamKind = 'bulk' | 'interactive';

export type ConnectionKind = StreamKind | 'any';
