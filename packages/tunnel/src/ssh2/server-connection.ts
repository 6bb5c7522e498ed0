/** The server's side of one SSH connection: login, registered addresses, and streams. Everything else in SSH is refused (AGENT-4). */

import type { Duplex } from 'node:stream';
import type { Channel, Negotiated, ServerClient } from 'ssh2';
import { type Clock, machineClock } from '../clock.ts';
import { asError, TunnelError } from '../errors.ts';
import { defaultLimits, type TunnelLimits } from '../limits.ts';
import type { UnreadBudget } from '../unread-budget.ts';
import { algorithms, ident, isSafe } from './algorithms.ts';
import { type ChannelStream, streamOf } from './channel-stream.ts';
import { library } from './library.ts';
import { type Login, Logins, type Proof } from './logins.ts';
import { refuseChannels, reportDropped, sessionsOf } from './refusals.ts';
import { TransportGuard } from './transport-guard.ts';

export interface ServerHandlers {
  /** Whether the token, or the key, belongs to the name. It is called twice for a key: the proof follows. */
  authenticate(login: Login): boolean | Promise<boolean>;
  loginFailed(login: Pick<Login, 'name'> & { by: string }): void;
  /** The cluster's budget, shared by all its connections. Undefined if it has too many connections: then this one is closed. */
  loggedIn(name: string, proof: Proof): UnreadBudget | undefined;
  /** Returning false refuses it. */
  register(address: string, port: number): boolean;
  unregister(address: string, port: number): void;
  /** The session of the subsystem; there is at most one. */
  control(stream: Duplex): void;
  /** Also called with the protocol violation that ends the connection. */
  refused(what: string): void;
  closed(reason: Error): void;
}

export interface ServerConnectionOptions {
  hostKey: string;
  subsystem: string;
  clock?: Clock | undefined;
  limits?: TunnelLimits | undefined;
}

export class ServerConnection {
  readonly #socket: Duplex;
  readonly #handlers: ServerHandlers;
  readonly #options: ServerConnectionOptions;
  readonly #clock: Clock;
  readonly #limits: TunnelLimits;
  readonly #streams = new Set<ChannelStream>();
  #client: ServerClient | undefined;
  #guard: TransportGuard | undefined;
  #budget: UnreadBudget | undefined;
  #refusals = 0;
  #reason: Error | undefined;

  constructor(socket: Duplex, options: ServerConnectionOptions, handlers: ServerHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#options = options;
    this.#clock = options.clock ?? machineClock;
    this.#limits = options.limits ?? defaultLimits;
    // 39 against 508 requests a second: ssh2 leaves Nagle's algorithm on.
    if ('setNoDelay' in socket && typeof socket.setNoDelay === 'function') socket.setNoDelay(true);
    socket.on('error', (error) => this.close(error));
    socket.once('end', () => this.close(new Error('connection ended by the other side')));
    socket.once('close', () => this.close(new Error('connection closed')));
    const { keepaliveInterval, keepaliveCount: keepaliveCountMax } = this.#limits;
    const hostKeys = [options.hostKey];
    const server = new (library().Server)(
      { hostKeys, algorithms, ident, keepaliveInterval, keepaliveCountMax },
      (client) => this.#begin(client),
    );
    server.injectSocket(socket);
  }

  /** Whether the other side has sent anything: a port scan has not. */
  get hasBegun(): boolean {
    const socket: Duplex & { bytesRead?: number } = this.#socket;
    return this.#client !== undefined || (socket.bytesRead ?? 0) > 0;
  }

  get streams(): number {
    return this.#streams.size;
  }

  get bytesIn(): number {
    return this.#guard?.bytesIn ?? 0;
  }

  get bytesOut(): number {
    return this.#guard?.bytesOut ?? 0;
  }

  get lastSeen(): number {
    return this.#guard?.lastSeen ?? 0;
  }

  /** Rejects if the other side does not open it in time. The signal aborts only the attempt. */
  async open(address: string, port: number, signal: AbortSignal): Promise<ChannelStream> {
    signal.throwIfAborted();
    const client = this.#client;
    if (!client || !this.#budget || this.#reason) throw new TunnelError('ERR_NO_AGENT', 'the agent is not connected');
    const place = this.#budget.takeChannel();
    if (!place) throw new TunnelError('ERR_AGENT_CHANNELS', 'too many streams of one cluster');
    const { promise, resolve, reject } = Promise.withResolvers<ChannelStream>();
    let isOver = false;
    const late = () => reject(new TunnelError('ERR_AGENT_DIAL', 'the agent did not open a stream in time'));
    const aborted = () => reject(asError(signal.reason));
    using _timer = this.#clock.timer(this.#limits.openTime, late);
    signal.addEventListener('abort', aborted, { once: true });
    try {
      client.forwardOut(address, port, '127.0.0.1', 0, (cause, channel) => {
        if (cause) {
          place[Symbol.dispose]();
          return reject(new TunnelError('ERR_AGENT_DIAL', 'the agent cannot reach its target', { cause }));
        }
        // A channel counts until the other side has closed it, too, even if it never does.
        channel.once('close', () => place[Symbol.dispose]());
        if (isOver) return channel.close();
        const stream = this.#streamOf(channel);
        if (stream) resolve(stream);
        else reject(new TunnelError('ERR_AGENT_DIAL', 'the agent was cut off'));
      });
      return await promise;
    } catch (error) {
      throw this.#reason ? new TunnelError('ERR_NO_AGENT', 'the agent was disconnected', { cause: error }) : error;
    } finally {
      isOver = true;
      signal.removeEventListener('abort', aborted);
    }
  }

  /** Closes it immediately, with all its streams. */
  close(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#guard?.[Symbol.dispose]();
    for (const stream of this.#streams)
      stream.destroy(Object.assign(new Error(reason.message), { code: 'ECONNRESET' }));
    // Not `client.end`, which would wait for a client that does not read.
    this.#socket.destroy();
    this.#handlers.closed(reason);
  }

  /** The other side, or a man in the middle, violated the protocol. */
  breaks(reason: Error): void {
    if (this.#reason) return;
    this.#handlers.refused(reason.message.slice(0, 64));
    this.close(reason);
  }

  #begin(client: ServerClient): void {
    this.#client = client;
    const fail = (reason: Error) => this.breaks(reason);
    // This includes an unanswered keepalive, after which ssh2 itself would leave the socket open.
    client.on('error', (error: LibraryError) => (isLost(error) ? this.close(error) : fail(error)));
    const guard = new TransportGuard({
      socket: this.#socket,
      protocol: client._protocol,
      clock: this.#clock,
      limits: this.#limits,
      fail,
      rekey: () => client.rekey(),
    });
    this.#guard = guard;
    client.on('handshake', (negotiated: Negotiated) => {
      if (!isSafe(client._protocol, negotiated)) return fail(new Error('no strict key exchange'));
      guard.exchanged();
    });
    const logins = new Logins(this.#handlers, this.#limits.loginFailures, fail);
    client.on('authentication', (context) => logins.attempt(context));
    client.on('ready', () => this.#loggedIn(client, logins));
    refuseChannels(client, (what) => this.#refused(what));
    reportDropped(client, (what) => this.#refused(what));
  }

  #loggedIn(client: ServerClient, { name, proof }: Logins): void {
    // The connection was closed during the login, for example because its cluster was deleted.
    if (this.#reason) return;
    const budget = this.#handlers.loggedIn(name, proof);
    if (!budget) return;
    this.#budget = budget;
    client.on('request', (accept, reject, request, data) => this.#requested(request, data, accept, reject));
    sessionsOf(
      client,
      this.#options.subsystem,
      (channel) => {
        const stream = this.#streamOf(channel);
        if (stream) this.#handlers.control(stream);
      },
      (what) => this.#refused(what),
    );
  }

  /** `accept` and `reject` are undefined if the other side wants no reply. */
  #requested(
    request: string,
    { bindAddr, bindPort }: { bindAddr: string; bindPort: number },
    accept?: () => void,
    reject?: () => void,
  ): void {
    if (this.#reason) return;
    const isCancelled = request === 'cancel-tcpip-forward';
    if (isCancelled) this.#handlers.unregister(bindAddr, bindPort);
    if (isCancelled || (request === 'tcpip-forward' && this.#handlers.register(bindAddr, bindPort))) {
      accept?.();
      return;
    }
    reject?.();
    this.#refused(request);
  }

  #streamOf(channel: Channel): ChannelStream | undefined {
    const violated = (what: string) => {
      // ssh2 still processes the rest of the received chunk.
      if (this.#reason) return;
      this.#handlers.refused(what);
      this.close(new Error(`the agent broke the protocol: ${what}`));
    };
    const stream = streamOf(channel, { guard: this.#guard!, budget: this.#budget!, violated });
    if (!stream) return undefined;
    this.#streams.add(stream);
    stream.once('close', () => this.#streams.delete(stream));
    return stream;
  }

  #refused(what: string): void {
    if (this.#reason) return;
    this.#handlers.refused(what);
    if (++this.#refusals > this.#limits.refusals) this.close(new Error('too many refused requests'));
  }
}

interface LibraryError extends Error {
  level?: string;
}

/** The network failed, or a keepalive was not answered: no violation of the protocol. */
const isLost = ({ level }: LibraryError): boolean => level === 'socket' || level === 'client-timeout';
