/**
 * A set of completion indexes, in the format of a status: `1,3-5,7`. Stored as sorted ranges, so that `0-999999999` costs as much as
 * `0`, and the author of a status or a success policy cannot make it expensive.
 */

/** Inclusive at both ends. */
type Range = readonly [first: number, last: number];

const digits = /^\d{1,10}$/;

export class IndexSet {
  /** The number of indexes. */
  readonly size: number;
  readonly #ranges: readonly Range[];

  /** Ranges in any order; they may overlap. */
  constructor(ranges: Iterable<Range> = []) {
    this.#ranges = merged(ranges);
    this.size = this.#ranges.reduce((total, [first, last]) => total + last - first + 1, 0);
  }

  has(index: number): boolean {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ranges[middle]![1] < index) low = middle + 1;
      else high = middle;
    }
    return low < this.#ranges.length && this.#ranges[low]![0] <= index;
  }

  with(indexes: Iterable<number>): IndexSet {
    return new IndexSet([...this.#ranges, ...Array.from(indexes, (index): Range => [index, index])]);
  }

  union(other: IndexSet): IndexSet {
    return new IndexSet([...this.#ranges, ...other.#ranges]);
  }

  /** How many indexes are in both sets. */
  common(other: IndexSet): number {
    let count = 0;
    for (let [left, right] = [0, 0]; left < this.#ranges.length && right < other.#ranges.length; ) {
      const [mine, its] = [this.#ranges[left]!, other.#ranges[right]!];
      count += Math.max(0, Math.min(mine[1], its[1]) - Math.max(mine[0], its[0]) + 1);
      if (mine[1] < its[1]) left += 1;
      else right += 1;
    }
    return count;
  }

  /** The lowest indexes that are not in the set, at most `limit`. */
  firstMissing(count: number, limit: number): number[] {
    const missing: number[] = [];
    let next = 0;
    for (const [first, last] of [...this.#ranges, [limit, limit] as const]) {
      for (; next < Math.min(first, limit) && missing.length < count; next += 1) missing.push(next);
      next = Math.max(next, last + 1);
    }
    return missing;
  }

  /** Two neighbours are written separately. */
  toString(): string {
    return this.#ranges
      .map(([first, last]) => {
        if (first === last) return `${first}`;
        return `${first}${last === first + 1 ? ',' : '-'}${last}`;
      })
      .join(',');
  }
}

/** Indexes below the limit. */
export function parseIndexes(text: string | undefined, limit: number): IndexSet {
  const ranges: Range[] = [];
  for (const interval of text ? text.split(',') : []) {
    const [first = '', last = first] = interval.split('-');
    if (digits.test(first) && digits.test(last)) ranges.push([Number(first), Math.min(Number(last), limit - 1)]);
  }
  return new IndexSet(ranges);
}

function merged(ranges: Iterable<Range>): readonly Range[] {
  const result: [number, number][] = [];
  for (const [first, last] of [...ranges].sort(([left], [right]) => left - right)) {
    if (first > last) continue;
    const before = result.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else result.push([first, last]);
  }
  return result;
}
