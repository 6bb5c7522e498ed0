/** Hands the member's credentials over to the server: on each connection, after each change, and again if they were not stored. */

import type { CredentialSource } from './agent.ts';
import { type Clock, machineClock } from './clock.ts';
import type { AgentMessage, ServerMessage } from './control-messages.ts';

const repeatAfter = 30_000;

type Answer = ServerMessage & { type: 'credentials-stored' | 'credentials-refused' };

export interface HandoverOptions {
  credentials?: CredentialSource | undefined;
  clock?: Clock | undefined;
  log?: ((level: 'info' | 'warn', text: string) => void) | undefined;
}

export class CredentialHandover implements Disposable {
  readonly #options: HandoverOptions;
  readonly #subscription: Disposable | undefined;
  #send: ((message: AgentMessage) => void) | undefined;
  #id = 0;
  #repeat: Disposable | undefined;

  constructor(options: HandoverOptions) {
    this.#options = options;
    this.#subscription = options.credentials?.onChange(() => this.#handOver());
  }

  /** Active until the connection ends. */
  over(send: (message: AgentMessage) => void): Disposable {
    this.#send = send;
    this.#handOver();
    return {
      [Symbol.dispose]: () => {
        if (this.#send === send) this.#send = undefined;
      },
    };
  }

  answered(answer: Answer): void {
    // The answer is about credentials that were replaced meanwhile.
    if (answer.id !== this.#id) return;
    const { log, clock = machineClock } = this.#options;
    if (answer.type === 'credentials-stored') {
      log?.('info', 'credentials are stored');
      return;
    }
    log?.('warn', `credentials were refused: ${answer.message}`);
    this.#repeat?.[Symbol.dispose]();
    this.#repeat = clock.timer(repeatAfter, () => this.#handOver());
  }

  [Symbol.dispose](): void {
    this.#subscription?.[Symbol.dispose]();
    this.#repeat?.[Symbol.dispose]();
    this.#send = undefined;
  }

  #handOver(): void {
    const credentials = this.#options.credentials?.current();
    if (!credentials || !this.#send) return;
    this.#repeat?.[Symbol.dispose]();
    this.#send({ type: 'credentials', id: ++this.#id, credentials });
  }
}
