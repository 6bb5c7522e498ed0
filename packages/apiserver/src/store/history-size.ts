/** Counts the bytes of the log that are kept for history only, and the revision to compact at when they exceed the limit. */

/** History is counted in parts of this share of the limit: a compaction ends at the end of a part. */
const parts = 16;
/** The share that remains after a compaction: less than the limit, so that the next compaction is not due at once. */
const left = 0.75;

interface Part {
  /** The last revision in it. */
  to: number;
  bytes: number;
}

export class HistorySize {
  readonly #limit: number;
  readonly #parts: Part[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A write of this revision has made so many bytes obsolete. */
  add(revision: number, bytes: number): void {
    const last = this.#parts.at(-1);
    if (last && last.bytes < this.#limit / parts) {
      last.to = revision;
      last.bytes += bytes;
    } else {
      this.#parts.push({ to: revision, bytes });
    }
    this.#bytes += bytes;
  }

  compacted(revision: number): void {
    while (this.#parts[0] && this.#parts[0].to <= revision) this.#bytes -= this.#parts.shift()!.bytes;
  }

  /** The revision to compact at; undefined while the history is within its limit. */
  get excess(): number | undefined {
    if (this.#bytes <= this.#limit) return undefined;
    let bytes = this.#bytes;
    for (const part of this.#parts) {
      bytes -= part.bytes;
      if (bytes <= this.#limit * left) return part.to;
    }
    return undefined;
  }
}
