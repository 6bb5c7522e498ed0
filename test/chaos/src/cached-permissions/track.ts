/** A value over time: while a change is on its way into an authoriser, it may be the old one or the new one. */

export interface Piece<T> {
  readonly since: number;
  readonly possible: ReadonlySet<T>;
}

export class Track<T> {
  readonly #pieces: Piece<T>[];
  #value: T;

  constructor(value: T) {
    this.#value = value;
    this.#pieces = [{ since: Number.NEGATIVE_INFINITY, possible: new Set([value]) }];
  }

  get value(): T {
    return this.#value;
  }

  /** The change is sent at `at`; from when `settle` is called the authoriser itself has decided by it. */
  change(to: T, at: number): { settle(at: number): void } {
    this.#pieces.push({ since: at, possible: new Set([this.#value, to]) });
    this.#value = to;
    return { settle: (settled) => void this.#pieces.push({ since: settled, possible: new Set([to]) }) };
  }

  /** When something changed within these times. */
  *momentsIn(from: number, to: number): Generator<number> {
    for (const { since } of this.#pieces) if (since > from && since <= to) yield since;
  }

  possibleAt(at: number): ReadonlySet<T> {
    return this.#pieces.findLast(({ since }) => since <= at)!.possible;
  }

  possibleIn(from: number, to: number): ReadonlySet<T> {
    const all = new Set(this.possibleAt(from));
    for (const at of this.momentsIn(from, to)) for (const value of this.possibleAt(at)) all.add(value);
    return all;
  }
}
