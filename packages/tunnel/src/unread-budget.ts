/** Channels and unread bytes of one cluster, over all of its connections (AGENT-7). */

export interface UnreadStream {
  /** Bytes that nobody has read yet. */
  readonly unread: number;
  /** Ends it: it holds most while too much is held in all. */
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

  /** Undefined: there are as many as there may be. A channel counts from its request until both sides have closed it. */
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

  /** A window is granted per channel, and cannot be taken back: what all of them send within theirs may be too much together. */
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
