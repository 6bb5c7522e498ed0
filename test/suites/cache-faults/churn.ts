/** Writes to the members all the while, but for those that are resting. */

import { setTimeout as pass } from 'node:timers/promises';
import type { Writer } from './writer.ts';

/** In milliseconds, between two writes to one member: dozens in every fault, and little beside what the clusters themselves do. */
const between = 50;

export class Churn implements AsyncDisposable {
  private readonly writers: ReadonlyMap<string, Writer>;
  private readonly ending = new AbortController();
  private readonly resting = new Set<string>();
  private readonly underWay = new Map<string, Promise<unknown>>();
  private readonly working: Promise<unknown>;

  constructor(writers: ReadonlyMap<string, Writer>) {
    this.writers = writers;
    this.working = Promise.all([...writers.keys()].map((name) => this.run(name)));
  }

  /** Nothing is under way in these members when this returns; in none, without names. */
  async rest(...names: readonly string[]): Promise<void> {
    const which = names.length > 0 ? names : [...this.writers.keys()];
    for (const name of which) this.resting.add(name);
    await Promise.all(which.map((name) => this.underWay.get(name)));
  }

  resume(...names: readonly string[]): void {
    for (const name of names.length > 0 ? names : [...this.resting]) this.resting.delete(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ending.abort();
    await this.working;
  }

  private async run(name: string): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      if (!this.resting.has(name)) {
        const writing = this.writers.get(name)!.write();
        this.underWay.set(name, writing);
        await writing;
      }
      await pass(between, undefined, { signal }).catch(() => {});
    }
  }
}
