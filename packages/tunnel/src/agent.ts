/** The agent's side of the tunnel: two connections to the server, reconnects, and the handover of credentials. */

import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { AgentLink } from './agent-link.ts';
import { Backoff } from './backoff.ts';
import { type Clock, machineClock } from './clock.ts';
import type { AgentCredentials, ServerMessage } from './control-messages.ts';
import { CredentialHandover } from './credential-handover.ts';
import { asError } from './errors.ts';
import type { TunnelLimits } from './limits.ts';
import type { StreamKind, Target } from './targets.ts';

export interface TargetAddress {
  host: string;
  port: number;
}

/** Credentials that change: tokens are renewed, a CA is replaced. */
export interface CredentialSource {
  /** Undefined while there are none. */
  current(): AgentCredentials | undefined;
  /** Calls back after each change, until disposed. */
  onChange(call: () => void): Disposable;
}

/** Receives events for the agent's metrics. */
export interface AgentObserver {
  connected?(kind: StreamKind): void;
  disconnected?(kind: StreamKind, reason: Error): void;
  opened?(target: Target): void;
  closed?(target: Target): void;
  dialFailed?(target: Target): void;
}

export interface AgentOptions {
  /** Opens a new connection to the server: TCP, TLS or a WebSocket. The signal aborts only the attempt. */
  dial(signal: AbortSignal): Promise<Duplex>;
  /** The cluster's name, which is the SSH user. */
  name: string;
  secret: string;
  /** Of the server's host key. */
  fingerprints: readonly string[];
  /** The only addresses that the agent dials, whatever the server requests. */
  targets: { kubernetes: TargetAddress; kubesphere?: TargetAddress | undefined };
  version: string;
  credentials?: CredentialSource | undefined;
  /** AGENT-8 */
  onReplicas?: ((message: ServerMessage & { type: 'replicas' }) => void) | undefined;
  log?: ((level: 'info' | 'warn', text: string) => void) | undefined;
  observe?: AgentObserver | undefined;
  clock?: Clock | undefined;
  limits?: Partial<TunnelLimits> | undefined;
  /** In milliseconds: how long active streams may continue after the signal aborts. */
  drainTime?: number | undefined;
}

const dialTimeout = 10_000;
const defaultDrainTime = 10_000;

/** Runs until the signal aborts and the active streams have ended. */
export async function runAgent(options: AgentOptions, signal: AbortSignal): Promise<void> {
  const instance = randomUUID();
  using handover = new CredentialHandover(options);
  await Promise.all((['bulk', 'interactive'] as const).map((kind) => keep(kind, instance, options, handover, signal)));
}

async function keep(
  kind: StreamKind,
  instance: string,
  options: AgentOptions,
  handover: CredentialHandover,
  signal: AbortSignal,
): Promise<void> {
  const { clock = machineClock, log } = options;
  const backoff = new Backoff(clock);
  while (!signal.aborted) {
    const began = clock.now();
    const reason = await connectOnce(kind, instance, options, handover, signal);
    if (signal.aborted) return;
    log?.('warn', `${kind} connection: ${reason.message}`);
    await backoff.wait(clock.now() - began, signal).catch(() => {
      // Aborted: the loop ends.
    });
  }
}

/** Resolves with the reason why the connection ended, or could not be opened. */
async function connectOnce(
  kind: StreamKind,
  instance: string,
  options: AgentOptions,
  handover: CredentialHandover,
  signal: AbortSignal,
): Promise<Error> {
  const { log, observe, onReplicas, drainTime = defaultDrainTime } = options;
  let link: AgentLink | undefined;
  const received = (message: ServerMessage): void => {
    if (message.type === 'replicas') onReplicas?.(message);
    else if (message.type !== 'welcome') handover.answered(message);
  };
  try {
    const socket = await options.dial(AbortSignal.any([signal, AbortSignal.timeout(dialTimeout)]));
    link = new AgentLink(socket, { ...options, kind, instance, received });
    await untilAborted(link.begin(), signal);
  } catch (error) {
    link?.close(asError(error));
    return asError(error);
  }
  log?.('info', `${kind} connection is established`);
  observe?.connected?.(kind);
  const current = link;
  using _handover = kind === 'interactive' ? handover.over((message) => current.send(message)) : undefined;
  const drain = () => void current.drain(drainTime).catch((error: unknown) => log?.('warn', asError(error).message));
  signal.addEventListener('abort', drain, { once: true });
  if (signal.aborted) drain();
  const reason = await current.ended;
  signal.removeEventListener('abort', drain);
  observe?.disconnected?.(kind, reason);
  return reason;
}

async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    // Rejects when the link is closed for it.
    promise.catch(() => {});
  }
}
