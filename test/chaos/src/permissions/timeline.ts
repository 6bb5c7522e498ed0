/** One permission over time: yes, no, or unknown while a change is on its way into the authoriser's cache. */

export type Answer = 'yes' | 'no' | 'either';

export class Timeline {
  readonly #segments: { since: number; answer: Answer }[];

  constructor(isGranted: boolean) {
    this.#segments = [{ since: Number.NEGATIVE_INFINITY, answer: isGranted ? 'yes' : 'no' }];
  }

  /** The change is sent at `at`; from when `settle` is called the authoriser itself has answered by it. */
  change(isGranted: boolean, at: number): { settle(at: number): void } {
    this.#segments.push({ since: at, answer: 'either' });
    return { settle: (settled) => void this.#segments.push({ since: settled, answer: isGranted ? 'yes' : 'no' }) };
  }

  /** What was so at every moment of the interval. */
  over(from: number, to: number): Answer {
    const answers = new Set(
      this.#segments
        .filter(
          ({ since }, index) => since <= to && (this.#segments[index + 1]?.since ?? Number.POSITIVE_INFINITY) > from,
        )
        .map(({ answer }) => answer),
    );
    const [only] = answers;
    return answers.size === 1 && only !== undefined ? only : 'either';
  }
}
