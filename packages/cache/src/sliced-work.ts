/** Runs long work in slices of a millisecond, so that no step blocks the event loop (LIMIT-3). */

/** Works until the time is up. Returns whether more is left. */
export type Work = (isTimeUp: () => boolean) => boolean;

/** In milliseconds. */
const slice = 1;

export class SlicedWork implements Disposable {
  private readonly pending: Work[] = [];
  private readonly idle: Work;
  private isWorking = false;
  private next: NodeJS.Immediate | undefined;

  /** `idle`: background work for when nothing else is pending. */
  constructor(idle: Work) {
    this.idle = idle;
  }

  /** Runs the first slice now. */
  add(work: Work): void {
    this.pending.push(work);
    this.go();
  }

  /** Runs one slice, and schedules the next behind other callbacks of the event loop. */
  go(): void {
    const until = performance.now() + slice;
    if (!this.run(() => performance.now() >= until) || this.next) return;
    this.next = setImmediate(() => {
      this.next = undefined;
      this.go();
    });
  }

  /** Works until the time is up. Returns whether more is left to do. */
  run(isTimeUp: () => boolean): boolean {
    // Work that adds work calls this again.
    if (this.isWorking) return true;
    this.isWorking = true;
    try {
      while (!isTimeUp()) {
        const work = this.pending[0];
        if (!work) break;
        if (!work(isTimeUp)) this.pending.splice(this.pending.indexOf(work), 1);
      }
      return this.pending.length > 0 || this.idle(isTimeUp);
    } finally {
      this.isWorking = false;
    }
  }

  [Symbol.dispose](): void {
    clearImmediate(this.next);
  }
}
