/** Dials the server over the transport that works, and remembers it (AGENT-2). */

import { errorText } from '../error-text.ts';
import type { DialTransport, ServerConnection, Transport } from './transports.ts';

export const transportChoices = ['auto', 'ssh', 'websocket'] as const;
export type TransportChoice = (typeof transportChoices)[number];

export interface ServerDialOptions {
  choice: TransportChoice;
  transports: Record<Transport, DialTransport>;
  /** A connection could not be opened. */
  failed(transport: Transport): void;
  /** A connection was opened, but is not logged in yet. */
  opened(connection: ServerConnection, transport: Transport): void;
}

/** In milliseconds: the share of the first transport, if there is a second, in the 10 s of an attempt. */
const firstAttempt = 4000;

const otherOf = (transport: Transport): Transport => (transport === 'ssh' ? 'websocket' : 'ssh');

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class ServerDial {
  readonly #options: ServerDialOptions;
  /** The transport that is tried first. */
  #current: Transport;
  #logins = 0;

  constructor(options: ServerDialOptions) {
    this.#options = options;
    this.#current = options.choice === 'websocket' ? 'websocket' : 'ssh';
  }

  get current(): Transport {
    return this.#current;
  }

  /** With `auto`, tries the other transport if the first one cannot connect at all. */
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

  /** An agent has logged in over it. */
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
      // Including its causes, such as the response of a proxy.
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
   * The connection closed without a login: the port does not speak SSH, or a firewall blocks SSH, as many do once they see the
   * first bytes. The server sends none before the agent does, so a new connection looks the same in all cases.
   */
  #doubt(transport: Transport): void {
    if (this.#options.choice === 'auto' && transport === this.#current) this.#current = otherOf(transport);
  }
}
