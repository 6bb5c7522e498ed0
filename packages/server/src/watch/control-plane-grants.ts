/**
 * Repeats the control plane's access reviews for a shared watch as long as it has watchers. Only decisions of the
 * last 2 s are accepted from the cache, so that a revoked permission ends the stream within 10 s (AUTHZ-2).
 */

import type { ClusterName } from '../target/target.ts';

/** In milliseconds. Leaves time within the 10 s for cached decisions of 2 s and for one review that times out. */
const interval = 5_000;
/** In milliseconds: how long a review may take before the next. More than the 2 s for which one is shared, or the next would join it. */
const patience = 2_200;

export interface ControlPlaneGrantsOptions {
  ask(): Promise<readonly ClusterName[]>;
  /** `isWhole`: complete also for clusters that have left meanwhile; otherwise another answer follows. */
  onAnswer(clusters: ReadonlySet<ClusterName>, isWhole: boolean): void;
  /** Called for the first of several failures in a row. Streams stay open: a failed review is not a revocation. */
  onFault(error: unknown): void;
}

export class ControlPlaneGrants {
  private readonly options: ControlPlaneGrantsOptions;
  private timer: NodeJS.Timeout | undefined;
  /** Reviews are numbered, so that an older answer is never used after a newer one. */
  private asked = 0;
  private answered = 0;
  /** Removed clusters, with the number of the last review before that: answers up to it may be about the removed cluster. */
  private readonly left = new Map<ClusterName, number>();
  private patience = patience;
  private asking = false;
  private again = false;
  private failed = false;
  private stopped = false;

  constructor(options: ControlPlaneGrantsOptions) {
    this.options = options;
  }

  /** Called for the first watcher: reviews are repeated from now on. */
  start(): void {
    if (!this.stopped) this.timer ??= setInterval(() => this.refresh(), interval).unref();
  }

  pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  stop(): void {
    this.stopped = true;
    this.pause();
  }

  /** One review at a time, unless it takes long. */
  refresh(): void {
    if (this.asking) this.again = true;
    else void this.run();
  }

  /** A cluster was removed, and may be replaced under its name: only answers to later reviews are about the new one. */
  without(cluster: ClusterName): void {
    this.left.set(cluster, this.asked);
    this.refresh();
  }

  private async run(): Promise<void> {
    this.asking = true;
    do {
      this.again = false;
      await this.inTime(this.once(++this.asked));
    } while (this.again && !this.stopped);
    this.asking = false;
  }

  /** A slow control plane may lose one review and answer the next: the timeout grows with each. */
  private async inTime(question: Promise<void>): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.again = true;
      this.patience *= 2;
      late.resolve();
    }, this.patience).unref();
    await Promise.race([question, late.promise]);
    clearTimeout(timer);
  }

  private async once(number: number): Promise<void> {
    try {
      const clusters = new Set(await this.options.ask());
      this.failed = false;
      this.patience = patience;
      if (!this.stopped && number > this.answered) this.answer(number, clusters);
    } catch (error) {
      // A later review was answered.
      if (number < this.answered) return;
      if (!this.failed) this.options.onFault(error);
      this.failed = true;
    }
  }

  private answer(number: number, clusters: Set<ClusterName>): void {
    this.answered = number;
    for (const [cluster, last] of this.left) {
      if (last < number) this.left.delete(cluster);
      else clusters.delete(cluster);
    }
    this.options.onAnswer(clusters, this.left.size === 0);
  }
}
