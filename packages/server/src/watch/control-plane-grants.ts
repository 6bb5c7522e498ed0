/**
 * Repeats the control plane's access reviews for a shared watch as long as it has watchers. Only decisions of the
 * last 2 s are accepted from the cache, so that a revoked permission ends the stream within 10 s (AUTHZ-2).
 */

import type { ClusterName } from '../target/target.ts';

/** In milliseconds. Leaves room within the 10 s for cached decisions of 2 s and for one review that times out. */
const interval = 5_000;
/** How long a review may take before the next starts. Longer than the 2 s for which a review is shared, or the next would join it. */
const patience = 2_200;

export interface ControlPlaneGrantsOptions {
  ask(): Promise<readonly ClusterName[]>;
  /** `isWhole`: nothing is left out that has left meanwhile; otherwise another answer follows. */
  onAnswer(clusters: ReadonlySet<ClusterName>, isWhole: boolean): void;
  /** Called for the first of several failures in a row. Streams stay open: a failed review is not a revocation. */
  onFault(error: unknown): void;
}

export class ControlPlaneGrants {
  private readonly options: ControlPlaneGrantsOptions;
  private timer: NodeJS.Timeout | undefined;
  /** Questions are numbered: an older answer never follows a newer one. */
  private asked = 0;
  private answered = 0;
  /** Clusters that have left, and the last question before that: answers up to it may speak of them as they were. */
  private readonly left = new Map<ClusterName, number>();
  private patience = patience;
  private asking = false;
  private again = false;
  private failed = false;
  private stopped = false;

  constructor(options: ControlPlaneGrantsOptions) {
    this.options = options;
  }

  /** Somebody watches: from now on it is asked at intervals. */
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

  /** One question at a time, unless one takes long. */
  refresh(): void {
    if (this.asking) this.again = true;
    else void this.run();
  }

  /** A cluster has left, and may be back as another under its name: only an answer to a later question speaks of that one. */
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

  /** A control plane that is slow may have lost one question, and answer the next: each is waited for longer. */
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
      // A later one was answered: nothing is missing.
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
