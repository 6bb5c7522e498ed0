/** The agent's side of one SSH connection: checks the pinned host key, logs in, registers addresses, and accepts the server's streams. */

import type { Duplex } from 'node:stream';
import type { Channel, Client, Negotiated } from 'ssh2';
import { type Clock, machineClock } from '../clock.ts';
import { defaultLimits, type TunnelLimits } from '../limits.ts';
import type { UnreadBudget } from '../unread-budget.ts';
import { algorithms, ident, isSafe } from './algorithms.ts';
import { type ChannelStream, streamOf } from './channel-stream.ts';
import { fingerprintOf } from './host-key.ts';
import { library } from './library.ts';
import { TransportGuard } from './transport-guard.ts';

export interface ClientConnectionOptions {
  name: string;
  secret: string;
  /** SHA-256 of the host keys; the server has to prove one of them. */
  fingerprints: readonly string[];
  budget: UnreadBudget;
  clock?: Clock | undefined;
  limits?: TunnelLimits | undefined;
  /** The server requests a stream to a registered address. */
  opening(address: string, port: number, request: OpenRequest): void;
  closed(reason: Error): void;
}

export interface OpenRequest {
  /** Undefined if the connection is gone. */
  accept(): Duplex | undefined;
  refuse(): void;
}

export class ClientConnection {
  readonly #socket: Duplex;
  readonly #options: ClientConnectionOptions;
  readonly #client: Client = new (library().Client)();
  readonly #streams = new Set<ChannelStream>();
  readonly #ready = Promise.withResolvers<void>();
  #guard: TransportGuard | undefined;
  #reason: Error | undefined;

  /** Sends the secret only to a server with a pinned key. */
  constructor(socket: Duplex, options: ClientConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    if ('setNoDelay' in socket && typeof socket.setNoDelay === 'function') socket.setNoDelay(true);
    const client = this.#client;
    const { limits = defaultLimits, name, secret, fingerprints } = options;
    this.#ready.promise.catch(() => {});
    client.on('error', (error: Error) => this.close(error));
    socket.on('error', (error) => this.close(error));
    socket.once('end', () => this.close(new Error('connection ended by the server')));
    socket.once('close', () => this.close(new Error('connection closed')));
    client.on('handshake', (negotiated: Negotiated) => this.#exchanged(negotiated));
    client.on('ready', () => this.#ready.resolve());
    client.on(
      'tcp connection',
      (info: { destIP: string; destPort: number }, accept: () => Channel, refuse: () => void) =>
        this.#opening(info.destIP, info.destPort, accept, refuse),
    );
    client.connect({
      sock: socket,
      username: name,
      password: secret,
      // No other credentials of this machine, such as the keys of an ssh-agent.
      authHandler: ['password'],
      hostVerifier: (key) => fingerprints.includes(fingerprintOf(key)),
      algorithms,
      ident,
      keepaliveInterval: limits.keepaliveInterval,
      keepaliveCountMax: limits.keepaliveCount,
      readyTimeout: limits.loginTime,
    });
  }

  get streams(): number {
    return this.#streams.size;
  }

  get bytes(): number {
    return (this.#guard?.bytesIn ?? 0) + (this.#guard?.bytesOut ?? 0);
  }

  /** Rejects with the reason why it was closed. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  register(address: string, port: number): Promise<void> {
    return this.#ask((done) => this.#client.forwardIn(address, port, done));
  }

  unregister(address: string, port: number): Promise<void> {
    return this.#ask((done) => this.#client.unforwardIn(address, port, done));
  }

  async subsystem(name: string): Promise<Duplex> {
    const channel = await this.#ask<Channel>((done) => this.#client.subsys(name, done));
    const stream = this.#streamOf(channel);
    if (!stream) throw this.#reason ?? new Error('connection closed');
    return stream;
  }

  close(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#guard?.[Symbol.dispose]();
    for (const stream of this.#streams)
      stream.destroy(Object.assign(new Error(reason.message), { code: 'ECONNRESET' }));
    this.#socket.destroy();
    this.#ready.reject(reason);
    this.#options.closed(reason);
  }

  #exchanged(negotiated: Negotiated): void {
    const protocol = this.#client._protocol;
    const fail = (reason: Error) => this.close(reason);
    if (!isSafe(protocol, negotiated)) {
      fail(new Error('no strict key exchange'));
      return;
    }
    const { clock = machineClock, limits = defaultLimits } = this.#options;
    this.#guard ??= new TransportGuard({ socket: this.#socket, protocol, clock, limits, fail });
    this.#guard.exchanged();
  }

  #opening(address: string, port: number, accept: () => Channel, refuse: () => void): void {
    const place = this.#options.budget.takeChannel();
    if (!place) {
      refuse();
      return;
    }
    this.#options.opening(address, port, {
      accept: () => {
        if (this.#reason) {
          place[Symbol.dispose]();
          return undefined;
        }
        const channel = accept();
        channel.once('close', () => place[Symbol.dispose]());
        return this.#streamOf(channel);
      },
      refuse: () => {
        place[Symbol.dispose]();
        if (!this.#reason) refuse();
      },
    });
  }

  #streamOf(channel: Channel): ChannelStream | undefined {
    const violated = (what: string) => this.close(new Error(`the server broke the protocol: ${what}`));
    const stream = streamOf(channel, { guard: this.#guard!, budget: this.#options.budget, violated });
    if (!stream) return undefined;
    this.#streams.add(stream);
    stream.once('close', () => this.#streams.delete(stream));
    return stream;
  }

  /** Also rejects if the connection ends before the answer. */
  #ask<Answer = void>(ask: (done: (error: Error | undefined, answer?: Answer) => void) => void): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const ended = () => reject(this.#reason ?? new Error('connection closed'));
    this.#socket.once('close', ended);
    ask((error, answer) => (error ? reject(error) : resolve(answer as Answer)));
    return promise.finally(() => this.#socket.off('close', ended));
  }
}
