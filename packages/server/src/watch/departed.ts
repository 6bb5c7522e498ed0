/**
 * Watchers that have left, and what they were sent: who comes back with the plain version of an object is one of them.
 * A version alone does not say whose it is: clusters count alike, and a server that has just begun knows only some events.
 */

export interface Sent {
  /** The first event of the log that it was sent. */
  since: number;
  /** It was also sent what a cluster had when it came to it: the versions of those objects stand nowhere. */
  objects: boolean;
}

interface Left extends Sent {
  /** The event after the last that it was sent. */
  until: number;
  at: number;
}

/** More that left at once list anew. */
const most = 1_000;

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

  /** Whether it can only be one of them who saw this event last. One that comes back has left no more. */
  takeBack(event: number): boolean {
    this.forget();
    if (this.left.some(({ objects }) => objects)) return false;
    const index = this.left.findIndex(({ since, until }) => since <= event && event < until);
    if (index >= 0) this.left.splice(index, 1);
    return index >= 0;
  }

  /** A cluster has left that they may have been sent: with a version of another one they would not hear of it. */
  clear(): void {
    this.left = [];
  }

  private forget(): void {
    const before = Date.now() - this.keptFor;
    this.left = this.left.filter(({ at }) => at >= before);
  }
}
