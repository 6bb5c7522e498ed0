/** A tunnel server on loopback, with agents and backends for tests. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AgentOptions, runAgent } from '../agent.ts';
import type { AgentConnection } from '../agent-connection.ts';
import { makeHostKey } from '../ssh2/host-key.ts';
import { type AgentToken, hashSecret, makeToken, matchesSecret } from '../token.ts';
import { TunnelServer, type TunnelServerOptions } from '../tunnel-server.ts';

export const hostKey = makeHostKey();
export const version = '1.0.0';

export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A TCP server that handles each connection with the function. */
export class Backend implements AsyncDisposable {
  readonly sockets = new Set<Socket>();
  readonly #server: Server;
  port = 0;
  connections = 0;

  constructor(answer: (socket: Socket) => void) {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      this.connections++;
      this.sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => this.sockets.delete(socket));
      answer(socket);
    });
  }

  static async start(answer: (socket: Socket) => void): Promise<Backend> {
    const backend = new Backend(answer);
    backend.port = await listening(backend.#server);
    return backend;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
  }
}

export const echo = (socket: Socket): void => void socket.pipe(socket);

/** Reads to the end. Unlike `node:stream/consumers`, it leaves the other direction open. */
export async function textOf(stream: Duplex): Promise<string> {
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  await once(stream, 'end');
  return Buffer.concat(pieces).toString();
}

export async function closed(stream: Duplex): Promise<void> {
  // A reset also closes it.
  stream.on('error', () => {});
  if (!stream.closed) await new Promise<void>((resolve) => stream.once('close', () => resolve()));
}

export class TunnelBed implements AsyncDisposable {
  readonly tokens = new Map<string, AgentToken>();
  readonly refused: { what: string; cluster: string | undefined }[] = [];
  readonly failedLogins: { name: string; by: string }[] = [];
  /** The server's sockets of all connections. */
  readonly sockets = new Set<Socket>();
  readonly server: TunnelServer;
  readonly #listener: Server;
  readonly #changed = new Set<() => void>();
  readonly #ended = new AbortController();
  readonly #agents: Promise<void>[] = [];
  port = 0;

  constructor(options: Partial<TunnelServerOptions>) {
    this.server = new TunnelServer({
      hostKey: hostKey.privateKey,
      version,
      authenticate: (login) =>
        login.by === 'token' && matchesSecret(login.token, [hashSecret(this.tokens.get(login.name)?.secret ?? '')]),
      refused: (refusal) => {
        this.refused.push(refusal);
        this.#notify();
      },
      loginFailed: (failure) => {
        this.failedLogins.push(failure);
        this.#notify();
      },
      ...options,
      changed: (connection) => {
        options.changed?.(connection);
        this.#notify();
      },
    });
    this.#listener = createServer((socket) => {
      this.sockets.add(socket);
      socket.once('close', () => {
        this.sockets.delete(socket);
        this.#notify();
      });
      this.server.accept(socket, socket.remoteAddress ?? '');
    });
  }

  static async start(options: Partial<TunnelServerOptions> = {}): Promise<TunnelBed> {
    const bed = new TunnelBed(options);
    bed.port = await listening(bed.#listener);
    return bed;
  }

  tokenOf(cluster: string): AgentToken {
    const token = this.tokens.get(cluster) ?? makeToken(cluster, [hostKey.fingerprint]);
    this.tokens.set(cluster, token);
    return token;
  }

  /** The product's agent, until the signal or the end of the test. */
  agent(
    cluster: string,
    backend: Backend,
    options: Partial<AgentOptions> = {},
    signal = this.#ended.signal,
  ): Promise<void> {
    const { secret, fingerprints } = this.tokenOf(cluster);
    const running = runAgent(
      {
        dial: () => this.connect(),
        name: cluster,
        secret,
        fingerprints,
        targets: { kubernetes: { host: '127.0.0.1', port: backend.port } },
        version,
        drainTime: 0,
        ...options,
      },
      AbortSignal.any([signal, this.#ended.signal]),
    );
    this.#agents.push(running);
    return running;
  }

  async connect(): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }

  connections(cluster: string): AgentConnection[] {
    return this.server.agents.of(cluster).filter(({ targets }) => targets.size > 0);
  }

  /** Checks the condition after each event of the server. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#changed.add(resolve);
      const timer = setTimeout(resolve, 50);
      await promise;
      clearTimeout(timer);
      this.#changed.delete(resolve);
    }
  }

  async dial(cluster: string, kind: 'bulk' | 'interactive' = 'bulk'): Promise<Duplex> {
    const signal = AbortSignal.timeout(10_000);
    return (await this.server.agents.dial({ cluster, target: 'kubernetes', kind, signal })).stream;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#agents);
    this.server[Symbol.dispose]();
    for (const socket of this.sockets) socket.destroy();
    this.#listener.close();
  }

  #notify(): void {
    for (const call of this.#changed) call();
  }
}
