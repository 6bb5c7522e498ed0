/** Counts the connections that a closing server waits for. Those of agents are not counted: they end after all others. */

import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

export class OpenSockets {
  readonly #sockets = new Set<Duplex>();
  /** In the TLS handshake, which ends with one of two events. */
  #starting = 0;
  #gone: (() => void) | undefined;

  /** Called before `takeSsh`: only connections that TLS gets are counted. */
  constructor(server: Http2SecureServer) {
    server.prependListener('connection', () => this.#starting++);
    server.on('secureConnection', (socket: TLSSocket) => {
      this.#starting--;
      this.#sockets.add(socket);
      socket.once('close', () => this.leave(socket));
    });
    server.on('tlsClientError', () => {
      this.#starting--;
      this.#look();
    });
  }

  /** The connection was taken over by other code, which ends it. */
  leave(socket: Duplex): void {
    this.#sockets.delete(socket);
    this.#look();
  }

  destroy(): void {
    for (const socket of this.#sockets as Set<Socket>) socket.destroy();
  }

  /** Resolves when there is none. */
  gone(): Promise<void> {
    return new Promise((resolve) => {
      this.#gone = resolve;
      this.#look();
    });
  }

  #look(): void {
    if (this.#sockets.size === 0 && this.#starting === 0) this.#gone?.();
  }
}
