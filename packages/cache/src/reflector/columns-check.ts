/**
 * Reads the columns of a member's Tables after a watch was interrupted: they may have changed meanwhile, only an event has them, and
 * there may be none for long (CACHE-13). Repeated until the member has answered, or the watch ends.
 */

import { Backoff } from '@fleet/client/backoff.ts';
import { type Clock, sleep } from '@fleet/client/clock.ts';
import { BusyMemberError, type PrintedColumns } from './member-requests.ts';

export interface ColumnsCheckOptions {
  clock: Clock;
  read(signal: AbortSignal): Promise<PrintedColumns>;
  /** Called once. */
  onColumns(printed: PrintedColumns): void;
}

export class ColumnsCheck implements AsyncDisposable {
  private readonly options: ColumnsCheckOptions;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(options: ColumnsCheckOptions) {
    this.options = options;
    this.running = this.run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort(new Error('the watch has ended'));
    await this.running;
  }

  private async run(): Promise<void> {
    const { clock, read, onColumns } = this.options;
    const { signal } = this.stopping;
    const backoff = new Backoff((millis, signal) => sleep(clock, millis, signal));
    while (!signal.aborted) {
      try {
        const printed = await read(signal);
        if (!signal.aborted) onColumns(printed);
        return;
      } catch (error) {
        // Not reported: if the member keeps failing, the watch does, too, and reports it.
        await this.pause(backoff, error instanceof BusyMemberError ? error.retryAfter : 0);
      }
    }
  }

  private async pause(backoff: Backoff, atLeast: number): Promise<void> {
    const { signal } = this.stopping;
    try {
      await sleep(this.options.clock, atLeast, signal);
      await backoff.wait(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
