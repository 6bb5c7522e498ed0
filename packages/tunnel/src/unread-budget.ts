/** Counts the channels and unread bytes of one cluster, over all its connections (AGENT-7). */

export interface UnreadStream {
  /** Bytes that were received but not read. */
  readonly unread: number;
  /** Ends the stream, which holds the most while the cluster holds too much. */
  cut(): void;
}

export class UnreadBudget {
  readonly #limit: number;
  readonly #channels: number;
  readonly #streams = new Set<UnreadStream>();
  #total = 0;
  #open = 0;

  constructor(limit: number, channels: number) {
    this.#limit = limit;
    this.#channels = channels;
  }

  get total(): number {
    return this.#total;
  }

  get open(): number {
    return this.#open;
  }

  /** Undefined if the limit is reached. A channel counts from its request until both sides have closed it. */
  takeChannel(): Disposable | undefined {
    if (this.#open >= this.#channels) return undefined;
    this.#open++;
    let isTaken = true;
    return {
      [Symbol.dispose]: () => {
        if (isTaken) this.#open--;
        isTaken = false;
      },
    };
  }

  enter(stream: UnreadStream): void {
    this.#streams.add(stream);
  }

  leave(stream: UnreadStream): void {
    this.#streams.delete(stream);
  }

  /** Windows are granted per channel and cannot be revoked: together, the channels may receive too much within their windows. */
  change(bytes: number): void {
    this.#total += bytes;
    while (bytes > 0 && this.#total > this.#limit) {
      const [first, ...others] = this.#streams;
      if (!first) return;
      const before = this.#total;
      others.reduce((most, one) => (one.unread > most.unread ? one : most), first).cut();
      if (this.#total >= before) return;
    }
  }
}
