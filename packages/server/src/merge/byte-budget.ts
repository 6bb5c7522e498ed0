/** A number of bytes shared by all lists in flight (LIMIT-2): reading ahead is free until it is used up. */

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

  /** Resolves when some bytes are free again. The caller checks again, as another one may have taken them. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
