/** The local end of a watch on another thread. The remote end limits how many batches wait here, by counting acknowledgements. */

import type { EventBatch, StoreWatch } from '../object-store.ts';
import type { ToStore } from './messages.ts';

export class PortWatch implements StoreWatch {
  readonly #id: number;
  readonly #send: (message: ToStore) => void;
  readonly #forget: () => void;
  readonly #queue: EventBatch[] = [];
  #ended: { error: Error | undefined } | undefined;
  #wake: (() => void) | undefined;

  constructor(id: number, send: (message: ToStore) => void, forget: () => void) {
    this.#id = id;
    this.#send = send;
    this.#forget = forget;
  }

  push(batch: EventBatch): void {
    this.#queue.push(batch);
    this.#wake?.();
  }

  end(error?: Error): void {
    this.#ended ??= { error };
    this.#forget();
    this.#wake?.();
  }

  requestProgress(): void {
    this.#send({ kind: 'progress', id: this.#id });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EventBatch> {
    try {
      for (;;) {
        const batch = this.#queue.shift();
        if (batch) {
          yield batch;
          this.#send({ kind: 'taken', id: this.#id });
          continue;
        }
        if (this.#ended) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
      if (this.#ended.error) throw this.#ended.error;
    } finally {
      this.#leave();
    }
  }

  #leave(): void {
    if (this.#ended) return;
    this.#queue.length = 0;
    this.#send({ kind: 'leave', id: this.#id });
    this.end();
  }
}
