/**
 * Recently disconnected watchers, and which events of the log they were sent. A client may resume from the plain version of an
 * object only if one of them was sent it: versions of different clusters can be equal, and after a restart the log lacks events.
 */

export interface Sent {
  /** The first event of the log that it was sent. */
  since: number;
  /** It was also sent an initial list, whose versions are not in the log. */
  objects: boolean;
}

interface Left extends Sent {
  /** The number of the event after the last that it was sent. */
  until: number;
  at: number;
}

/** If more disconnect within that time, the oldest have to list again. */
const most = 1_000;

/** In milliseconds: how long a disconnected client can resume from the log. */
export const keptFor = 60_000;

export class Departed {
  private left: Left[] = [];
  private readonly keptFor: number;

  constructor(keptFor: number) {
    this.keptFor = keptFor;
  }

  add({ since, objects }: Sent, until: number): void {
    this.forget();
    this.left.push({ since, objects, until, at: Date.now() });
    if (this.left.length > most) this.left.shift();
  }

  /** Whether one of them may have been sent this event last. That one is removed, as it is connected again. */
  takeBack(event: number): boolean {
    this.forget();
    if (this.left.some(({ objects }) => objects)) return false;
    const index = this.left.findIndex(({ since, until }) => since <= event && event < until);
    if (index >= 0) this.left.splice(index, 1);
    return index >= 0;
  }

  /** A cluster was removed: resuming from a version of another cluster would miss that. */
  clear(): void {
    this.left = [];
  }

  private forget(): void {
    const before = Date.now() - this.keptFor;
    this.left = this.left.filter(({ at }) => at >= before);
  }
}
