/** Allocates short-lived texts in pages that are reused. Separate buffers for each would fragment the process's memory. */

interface Page {
  bytes: Buffer;
  used: number;
  live: number;
}

/** The location of a text. */
export interface ArenaText {
  page: Page;
  start: number;
  end: number;
}

const pageSize = 256 * 1024;
/** Empty pages kept for reuse. */
const mostSpare = 8;

export class TextArena {
  private current: Page | undefined;
  private readonly spare: Page[] = [];

  add(source: Buffer, start: number, end: number): ArenaText {
    const length = end - start;
    const page = this.withSpace(length);
    const at = page.used;
    source.copy(page.bytes, at, start, end);
    page.used += length;
    page.live++;
    return { page, start: at, end: at + length };
  }

  release({ page }: ArenaText): void {
    if (--page.live > 0) return;
    page.used = 0;
    if (page !== this.current && page.bytes.length === pageSize && this.spare.length < mostSpare) this.spare.push(page);
  }

  private withSpace(length: number): Page {
    const { current } = this;
    if (current && current.used + length <= current.bytes.length) return current;
    // `release` keeps an empty page for reuse, but not the current one.
    if (current?.live === 0 && length <= current.bytes.length) {
      current.used = 0;
      return current;
    }
    const spare = length <= pageSize ? this.spare.pop() : undefined;
    this.current = spare ?? { bytes: Buffer.allocUnsafeSlow(Math.max(length, pageSize)), used: 0, live: 0 };
    return this.current;
  }
}
