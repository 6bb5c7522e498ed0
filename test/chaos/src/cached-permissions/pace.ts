/** How slow requests are just now: on a machine that stands still, a second is no second. */

/** Older ones are outdated, in milliseconds. */
const window = 3_000;

export class Pace {
  #noted: { from: number; to: number }[] = [];
  readonly #given: number[] = [];

  note(from: number, to: number): void {
    this.#noted = this.#noted.filter((one) => one.to > to - 10 * window);
    this.#noted.push({ from, to });
  }

  /** What to give an answer of these times beyond what it is allowed: twice the slowest request of then, a few milliseconds as a rule. */
  allowance(from: number, to: number): number {
    const those = this.#noted.filter((one) => one.to >= from - window && one.from <= to);
    const more = 2 * Math.max(0, ...those.map((one) => one.to - one.from));
    this.#given.push(more);
    return more;
  }

  /** What was given, in milliseconds: at the median, and at most. */
  given(): { median: number; most: number } {
    const sorted = this.#given.toSorted((a, b) => a - b);
    return { median: Math.round(sorted[sorted.length >> 1] ?? 0), most: Math.round(sorted.at(-1) ?? 0) };
  }
}
