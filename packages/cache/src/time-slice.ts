/** How long one step may hold the event loop (LIMIT-3). */

/** In milliseconds. */
export type Clock = () => number;

/** Looking at the clock takes as long as examining several records. */
const costPerLook = 64;

export class TimeSlice {
  private readonly clock: Clock;
  private readonly until: number;
  private spent = 0;

  constructor(clock: Clock, milliseconds: number) {
    this.clock = clock;
    this.until = clock() + milliseconds;
  }

  /** Whether the time is up after this much more work; a record whose labels are looked at counts as one. */
  isUpAfter(cost: number): boolean {
    this.spent += cost;
    if (this.spent < costPerLook) return false;
    this.spent = 0;
    return this.clock() >= this.until;
  }
}
