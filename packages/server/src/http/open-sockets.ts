/** The connections that a server which ends has to wait for: not those of agents, which end after all others. */

import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

export class OpenSockets {
  readonly #sockets = new Set<Duplex>();
  /** In their handshake, each of which ends in one of two events. */
  #starting = 0;
  #gone: (() => void) | undefined;

  /** Before `takeSsh`: only what TLS gets counts. */
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

  /** Somebody else ends it. */
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
