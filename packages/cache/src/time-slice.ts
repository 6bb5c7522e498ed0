/** A time limit for one step on the event loop, checked cheaply (LIMIT-3). */

/** In milliseconds. */
export type Clock = () => number;

/** The clock is read once per this much work, as reading it costs as much as checking several records. */
const costPerLook = 64;
/** Parsing this many bytes of an object costs as much as checking its labels. */
const bytesPerCost = 256;

/** The cost of parsing, comparing or copying so many bytes. */
export const costOfBytes = (bytes: number): number => bytes / bytesPerCost;

export class TimeSlice {
  private readonly isTimeUp: () => boolean;
  private spent = 0;

  constructor(isTimeUp: () => boolean) {
    this.isTimeUp = isTimeUp;
  }

  static of(clock: Clock, milliseconds: number): TimeSlice {
    const until = clock() + milliseconds;
    return new TimeSlice(() => clock() >= until);
  }

  /** Whether the time is up after this much more work; checking the labels of a record costs 1. */
  isUpAfter(cost: number): boolean {
    this.spent += cost;
    if (this.spent < costPerLook) return false;
    this.spent = 0;
    return this.isTimeUp();
  }
}
