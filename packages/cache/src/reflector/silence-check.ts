/**
 * Detects that a member was restored from a backup. kube-apiserver then sends no events, as it waits for the version that the watch
 * resumed from. So a silent member, or one that is suspected of it, is asked for that version; if it has not reached it for a minute, it
 * was restored (CACHE-5).
 */

import { type Clock, sleep } from '@fleet/client/clock.ts';
import { isTooLarge } from './member-requests.ts';

export interface SilenceCheckOptions {
  clock: Clock;
  /** When the last event, bookmark or list came; undefined before the first. */
  lastEvent(): number | undefined;
  /** Whether a watch is open. */
  isOpen(): boolean;
  /** Throws 504 if the member has not reached the feed's position. */
  reach(signal: AbortSignal): Promise<void>;
  wentBack(): void;
  /** It has reached the feed's position: it is well, however silent. */
  onReached(): void;
}

/** In milliseconds. Members send a bookmark every minute, but for resources that kube-apiserver has no watch cache of (events). */
export const longestSilence = 70_000;
/** In milliseconds: how long the member must answer that the version is too large. */
const tooLargeFor = 60_000;
const askAgainAfter = 10_000;
/** In milliseconds: how long a probe counts. The next may take as long as its deadline. */
export const probedFor = longestSilence + 10_000;

export class WentBackError extends Error {
  override readonly name = 'WentBackError';
  override message = 'the member was restored to an earlier resource version';
}

export class SilenceCheck implements AsyncDisposable {
  private readonly options: SilenceCheckOptions;
  private readonly stopping = new AbortController();
  private waking = new AbortController();
  private suspectedAt: number | undefined;
  private readonly running: Promise<void>;

  constructor(options: SilenceCheckOptions) {
    this.options = options;
    this.running = this.run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** It answered a write with a version that it had already passed: it is asked now, silent or not. */
  suspect(): void {
    if (this.isSuspected) return;
    this.suspectedAt = this.options.clock.now();
    this.waking.abort();
  }

  /** An event or list since then has shown that the stream goes on. */
  private get isSuspected(): boolean {
    return this.suspectedAt !== undefined && (this.options.lastEvent() ?? 0) <= this.suspectedAt;
  }

  private async run(): Promise<void> {
    const { clock, lastEvent, isOpen, wentBack } = this.options;
    const { signal } = this.stopping;
    let tooLargeSince: number | undefined;
    let next = clock.now() + longestSilence;
    while (!signal.aborted) {
      await this.waitUntil(next);
      if (signal.aborted) return;
      const quietUntil = (lastEvent() ?? clock.now()) + longestSilence;
      if (quietUntil > clock.now() && !this.isSuspected) {
        tooLargeSince = undefined;
        next = quietUntil;
        continue;
      }
      const asked = clock.now();
      const answer = isOpen() ? await this.ask() : 'unknown';
      if (answer === 'reached') {
        tooLargeSince = undefined;
        this.suspectedAt = undefined;
        this.options.onReached();
      } else if (answer === 'too-large') tooLargeSince ??= asked;
      const isBack = answer === 'too-large' && tooLargeSince !== undefined && asked - tooLargeSince >= tooLargeFor;
      if (isBack) wentBack();
      next = clock.now() + (isBack || answer === 'reached' ? longestSilence : askAgainAfter);
    }
  }

  private async waitUntil(time: number): Promise<void> {
    const { clock } = this.options;
    const signal = AbortSignal.any([this.stopping.signal, this.waking.signal]);
    await sleep(clock, Math.max(time - clock.now(), 0), signal).catch(() => {});
    this.waking = new AbortController();
  }

  /** Any other error proves nothing: the watch itself reports it. */
  private async ask(): Promise<'reached' | 'too-large' | 'unknown'> {
    try {
      await this.options.reach(this.stopping.signal);
      return 'reached';
    } catch (error) {
      return isTooLarge(error) ? 'too-large' : 'unknown';
    }
  }
}
