/** Work that may be long, done in slices, so that no step holds the event loop. */

/** Works until the time is up. Returns whether more is left of it. */
export type Work = (isTimeUp: () => boolean) => boolean;

/** In milliseconds. */
const slice = 1;

export class SlicedWork implements Disposable {
  private readonly pending: Work[] = [];
  private readonly idle: Work;
  private isWorking = false;
  private next: NodeJS.Immediate | undefined;

  /** `idle`: what there may always be to do, when nothing else is. */
  constructor(idle: Work) {
    this.idle = idle;
  }

  /** Its first slice is done at once. */
  add(work: Work): void {
    this.pending.push(work);
    this.go();
  }

  /** One slice of what is to be done, and the next when others have had their turn. */
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
    // Work may add work.
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
