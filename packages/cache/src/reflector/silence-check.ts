/**
 * Finds a member that was restored from a backup: it waits in silence for the version that a watch resumes from. A silent
 * member is asked for that version; one that has not come to it for a minute has gone back (CACHE-5).
 */

import { type Clock, sleep } from '@fleet/client/clock.ts';
import { isTooLarge } from './member-requests.ts';

export interface SilenceCheckOptions {
  clock: Clock;
  /** When the last event, bookmark or list came; undefined before the first. */
  lastEvent(): number | undefined;
  /** Whether there is a watch that could be silent. */
  isOpen(): boolean;
  /** Throws 504 where the member has not come to the position of the feed. */
  reach(signal: AbortSignal): Promise<void>;
  wentBack(): void;
}

/** In milliseconds. Members send a bookmark every minute. */
export const longestSilence = 70_000;
const tooLargeFor = 60_000;
const askAgainAfter = 10_000;

export class WentBackError extends Error {
  override readonly name = 'WentBackError';
  override message = 'the member has gone back to an earlier version';
}

export class SilenceCheck implements AsyncDisposable {
  private readonly options: SilenceCheckOptions;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(options: SilenceCheckOptions) {
    this.options = options;
    this.running = this.run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { clock, lastEvent, isOpen, wentBack } = this.options;
    const { signal } = this.stopping;
    let tooLargeSince: number | undefined;
    let next = clock.now() + longestSilence;
    while (!signal.aborted) {
      await sleep(clock, Math.max(next - clock.now(), 0), signal).catch(() => {});
      if (signal.aborted) return;
      const quietUntil = (lastEvent() ?? clock.now()) + longestSilence;
      if (quietUntil > clock.now()) {
        tooLargeSince = undefined;
        next = quietUntil;
        continue;
      }
      const asked = clock.now();
      const answer = isOpen() ? await this.ask() : 'unknown';
      if (answer === 'reached') tooLargeSince = undefined;
      else if (answer === 'too-large') tooLargeSince ??= asked;
      const isBack = answer === 'too-large' && tooLargeSince !== undefined && asked - tooLargeSince >= tooLargeFor;
      if (isBack) wentBack();
      next = clock.now() + (isBack || answer === 'reached' ? longestSilence : askAgainAfter);
    }
  }

  /** A member that cannot be asked has not answered either way: the watch itself finds out. */
  private async ask(): Promise<'reached' | 'too-large' | 'unknown'> {
    try {
      await this.options.reach(this.stopping.signal);
      return 'reached';
    } catch (error) {
      return isTooLarge(error) ? 'too-large' : 'unknown';
    }
  }
}
