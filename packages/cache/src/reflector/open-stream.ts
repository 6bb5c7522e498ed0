/** Whether an open watch is up to date, so that reads of the latest state may be answered from the cache (CACHE-7). */

import type { Clock } from '@fleet/client/clock.ts';
import { longestSilence } from './silence-check.ts';
import type { TimedBody } from './timed-body.ts';

/** In milliseconds: how long received bytes may be unprocessed, and how long a resumed watch may take to send what it missed. */
const longestWait = 1_000;

export class OpenStream {
  /** Whether an event or bookmark has arrived on it. */
  hasBrought = false;
  readonly body: TimedBody;
  private readonly clock: Clock;
  private readonly opened: number;

  constructor(body: TimedBody, clock: Clock) {
    this.body = body;
    this.clock = clock;
    this.opened = clock.now();
  }

  /** `lastSign`: the last event or bookmark or, where there are no bookmarks, the last probe that the member passed. */
  isFresh(lastSign: number): boolean {
    const now = this.clock.now();
    const { busySince } = this.body;
    return (
      now - lastSign < longestSilence &&
      (this.hasBrought || now - this.opened >= longestWait) &&
      (busySince === undefined || now - busySince < longestWait)
    );
  }
}
