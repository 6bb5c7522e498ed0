/**
 * Reads a member's items before it is their turn. Without it members would work one after the other, and a list over
 * ten would take ten times as long; with it they work at once, as far as the budget goes.
 */

import type { Items } from '@fleet/kube/list-splitter.ts';
import type { ByteBudget } from './byte-budget.ts';

const sizeOf = (items: Items): number => items.reduce((sum, { length }) => sum + length, 0);

export class ReadAhead implements AsyncIterable<Items> {
  private readonly source: AsyncIterator<Items>;
  private readonly budget: ByteBudget;
  private readonly queue: Items[] = [];
  private ended = false;
  private failure: unknown;
  private arrived = Promise.withResolvers<void>();

  /** Starts at once; the signal ends it, also where nobody ever begins to read (HEAD). */
  constructor(source: AsyncIterable<Items>, budget: ByteBudget, signal: AbortSignal) {
    this.source = source[Symbol.asyncIterator]();
    this.budget = budget;
    signal.addEventListener('abort', () => this.giveUp(signal.reason), { once: true });
    this.pump(signal)
      .catch((error: unknown) => {
        this.failure ??= error ?? new Error('a list broke off');
      })
      .finally(() => {
        this.ended = true;
        this.arrived.resolve();
      });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Items, void, undefined> {
    for (;;) {
      const items = this.queue.shift();
      if (items) {
        this.budget.give(sizeOf(items));
        yield items;
      } else if (this.failure) {
        throw this.failure;
      } else if (this.ended) {
        return;
      } else {
        this.arrived = Promise.withResolvers();
        await this.arrived.promise;
      }
    }
  }

  /** What was read and not sent is given back; without it the list must not look whole. */
  private giveUp(reason: unknown): void {
    this.failure ??= reason;
    this.budget.give(this.queue.splice(0).reduce((sum, items) => sum + sizeOf(items), 0));
  }

  private async pump(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Whoever's turn it is can always go on: an empty queue may be filled whatever the budget says.
      if (this.queue.length > 0 && !this.budget.left) {
        await this.budget.changed();
        continue;
      }
      const { value, done } = await this.source.next();
      if (done || signal.aborted) return;
      this.queue.push(value);
      this.budget.take(sizeOf(value));
      this.arrived.resolve();
    }
  }
}
