/** When bookmarks are due: with every batch of events, but once a second at most, and once a minute at least (WATCH-2). */

const shortest = 1_000;
/** A minute's silence is too long. */
const longest = 50_000;

export class BookmarkTimer {
  private readonly due: () => void;
  private last = 0;
  private timer: NodeJS.Timeout | undefined;
  private soon = false;

  constructor(due: () => void) {
    this.due = due;
    this.plan(longest);
  }

  happened(): void {
    if (this.soon) return;
    const wait = this.last + shortest - Date.now();
    if (wait <= 0) {
      this.now();
      return;
    }
    this.soon = true;
    this.plan(wait);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private now(): void {
    this.soon = false;
    this.last = Date.now();
    this.plan(longest);
    this.due();
  }

  private plan(wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), wait).unref();
  }
}
