/**
 * Reads a member's items before it is their turn, so that members work at the same time, as far as the budget allows: one after the
 * other, ten members would take ten times as long. The list whose turn it is can always continue. Others read nothing without a budget,
 * however many lists there are.
 */

import type { Items } from '@fleet/kube/list-splitter.ts';
import type { ByteBudget } from './byte-budget.ts';

const usualChunk = 256 * 1024;

/** Replaces an entry that was read, so that its memory is free. */
const nothing: Items = [];

const sizeOf = (items: Items): number => items.reduce((sum, { length }) => sum + length, 0);

export class ReadAhead implements AsyncIterable<Items> {
  private readonly source: AsyncIterator<Items>;
  private readonly budget: ByteBudget;
  private queue: Items[] = [];
  /** How many entries of the queue were read: removing them one by one would move all others each time (SEC-3). */
  private taken = 0;
  private ended = false;
  private failure: unknown;
  private arrived = Promise.withResolvers<void>();
  /** It is its turn, and it has nothing to send. */
  private isWaitedFor = false;
  private waitedFor = Promise.withResolvers<void>();

  /** Starts at once. The signal ends it, also if it is never read (HEAD). */
  constructor(source: AsyncIterable<Items>, budget: ByteBudget, signal: AbortSignal) {
    this.source = source[Symbol.asyncIterator]();
    this.budget = budget;
    signal.addEventListener('abort', () => this.abandon(signal.reason), { once: true });
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
      const items = this.next();
      if (items) {
        this.budget.give(sizeOf(items));
        yield items;
      } else if (this.failure) {
        throw this.failure;
      } else if (this.ended) {
        return;
      } else {
        await this.arrival();
      }
    }
  }

  private next(): Items | undefined {
    const items = this.queue[this.taken];
    if (!items) return undefined;
    this.queue[this.taken++] = nothing;
    if (2 * this.taken >= this.queue.length) [this.queue, this.taken] = [this.queue.slice(this.taken), 0];
    return items;
  }

  private async arrival(): Promise<void> {
    this.arrived = Promise.withResolvers();
    this.isWaitedFor = true;
    this.waitedFor.resolve();
    await this.arrived.promise;
    this.isWaitedFor = false;
    this.waitedFor = Promise.withResolvers();
  }

  /** Drops what was read and not sent. The list must not look complete then. */
  private abandon(reason: unknown): void {
    this.failure ??= reason;
    const left = this.queue.slice(this.taken);
    [this.queue, this.taken] = [[], 0];
    this.budget.give(left.reduce((sum, items) => sum + sizeOf(items), 0));
    this.waitedFor.resolve();
  }

  private async pump(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (!this.budget.left && !this.isWaitedFor) {
        await Promise.race([this.budget.changed(), this.waitedFor.promise]);
        continue;
      }
      const items = await this.read();
      if (!items) return;
      if (signal.aborted) return this.budget.give(sizeOf(items));
      this.queue.push(items);
      this.arrived.resolve();
    }
  }

  /** Budget is reserved before reading: otherwise all waiting lists would read at once when a little was freed. */
  private async read(): Promise<Items | undefined> {
    let size = 0;
    this.budget.take(usualChunk);
    try {
      const { value, done } = await this.source.next();
      if (done) return undefined;
      size = sizeOf(value);
      return value;
    } finally {
      this.budget.give(usualChunk - size);
    }
  }
}
