/** Dials the server by the transport that works, and remembers which one that is (AGENT-2). */

import { errorText } from '../error-text.ts';
import type { DialTransport, ServerConnection, Transport } from './transports.ts';

export const transportChoices = ['auto', 'ssh', 'websocket'] as const;
export type TransportChoice = (typeof transportChoices)[number];

export interface ServerDialOptions {
  choice: TransportChoice;
  transports: Record<Transport, DialTransport>;
  /** A connection could not be made. */
  failed(transport: Transport): void;
  /** One was made, though nobody has logged in over it. */
  opened(connection: ServerConnection, transport: Transport): void;
}

/** In milliseconds: what the first transport may take where there is another to try, of the 10 s that an attempt has. */
const firstAttempt = 4000;

const otherOf = (transport: Transport): Transport => (transport === 'ssh' ? 'websocket' : 'ssh');

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class ServerDial {
  readonly #options: ServerDialOptions;
  /** The one that is tried first. */
  #current: Transport;
  #logins = 0;

  constructor(options: ServerDialOptions) {
    this.#options = options;
    this.#current = options.choice === 'websocket' ? 'websocket' : 'ssh';
  }

  get current(): Transport {
    return this.#current;
  }

  /** With `auto`, the other transport if the first one cannot be connected at all. */
  async dial(signal: AbortSignal): Promise<ServerConnection['stream']> {
    const first = this.#current;
    if (this.#options.choice !== 'auto') return this.#attempt(first, signal);
    try {
      return await this.#attempt(first, AbortSignal.any([signal, AbortSignal.timeout(firstAttempt)]));
    } catch (error) {
      if (signal.aborted) throw error;
      const other = otherOf(first);
      try {
        return await this.#attempt(other, signal);
      } catch (alsoFailed) {
        throw new Error(`${first}: ${messageOf(error)}; ${other}: ${messageOf(alsoFailed)}`, { cause: alsoFailed });
      }
    }
  }

  /** An agent has logged in. */
  loggedIn(): void {
    this.#logins++;
  }

  async #attempt(transport: Transport, signal: AbortSignal): Promise<ServerConnection['stream']> {
    const { transports, failed, opened } = this.#options;
    let connection: ServerConnection;
    try {
      connection = await transports[transport](signal);
    } catch (error) {
      failed(transport);
      // With its causes: what a proxy answered is one.
      throw new Error(errorText(error), { cause: error });
    }
    opened(connection, transport);
    const logins = this.#logins;
    connection.stream.once('close', () => {
      if (this.#logins === logins) this.#doubt(transport);
    });
    return connection.stream;
  }

  /**
   * What was connected closed without a login: a port that speaks something else than SSH, or a firewall that lets no SSH through, as
   * many wait for its first bytes. The server sends none before the agent does, so that no look at a new connection would tell.
   */
  #doubt(transport: Transport): void {
    if (this.#options.choice === 'auto' && transport === this.#current) this.#current = otherOf(transport);
  }
}
