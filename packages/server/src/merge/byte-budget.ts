/** One number of bytes that all lists under way share (LIMIT-2): reading ahead is free until it is used up. */

export class ByteBudget {
  private readonly total: number;
  private used = 0;
  private waiting: (() => void)[] = [];

  constructor(total: number) {
    this.total = total;
  }

  get left(): boolean {
    return this.used < this.total;
  }

  take(bytes: number): void {
    this.used += bytes;
  }

  give(bytes: number): void {
    this.used -= bytes;
    if (!this.left) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const resume of waiting) resume();
  }

  /** Resolves when there is something left again; whoever waits looks again, as others may be faster. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
