/** Schedules bookmarks: after every batch of events, but at most once a second, and at least once a minute (WATCH-2). */

const shortest = 1_000;
/** In milliseconds: the longest time without a bookmark. */
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
