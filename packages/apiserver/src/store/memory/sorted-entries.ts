/** Entries sorted by the bytes of their keys, in short runs, so that an insertion moves few others. */

import type { Entry } from '../object-store.ts';
import { prefixEnd } from '../prefix-end.ts';

const longestRun = 512;

/** The position of an entry, or where it would be inserted. */
interface Place {
  run: number;
  at: number;
}

/** Characters that UTF-8 and JavaScript strings order differently. */
const astral = /[\ud800-\udfff]/;

export function compareKeys(left: string, right: string): number {
  if (left === right) return 0;
  if (astral.test(left) || astral.test(right)) return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : 1;
}

export class SortedEntries {
  readonly #byKey = new Map<string, Entry>();
  /** None is empty, except a single one. */
  readonly #runs: Entry[][] = [[]];

  get(key: string): Entry | undefined {
    return this.#byKey.get(key);
  }

  put(entry: Entry): void {
    const isNew = !this.#byKey.has(entry.key);
    this.#byKey.set(entry.key, entry);
    const { run, at } = this.#placeOf(entry.key);
    const entries = this.#runs[run]!;
    entries.splice(at, isNew ? 0 : 1, entry);
    if (entries.length > longestRun) this.#runs.splice(run + 1, 0, entries.splice(longestRun / 2));
  }

  remove(key: string): void {
    if (!this.#byKey.delete(key)) return;
    const { run, at } = this.#placeOf(key);
    this.#runs[run]!.splice(at, 1);
    if (this.#runs[run]!.length === 0 && this.#runs.length > 1) this.#runs.splice(run, 1);
  }

  /** Entries under a prefix and after a key, up to a limit; and how many more there are. */
  range(prefix: string, after: string, limit: number): { entries: Entry[]; remaining: number } {
    const from = compareKeys(after, prefix) < 0 ? this.#placeOf(prefix) : this.#placeBehind(after);
    const end = prefixEnd(prefix);
    const to = end === '' ? this.#end() : this.#placeOf(end);
    const entries: Entry[] = [];
    for (let { run, at } = from; run <= to.run && entries.length < limit; run += 1, at = 0) {
      const most = at + limit - entries.length;
      const part = this.#runs[run]!.slice(at, Math.min(most, run === to.run ? to.at : longestRun));
      // In parts, as a call accepts a limited number of arguments.
      entries.push(...part);
    }
    return { entries, remaining: Math.max(0, this.#rankOf(to) - this.#rankOf(from)) - entries.length };
  }

  #end(): Place {
    return { run: this.#runs.length - 1, at: this.#runs.at(-1)!.length };
  }

  #placeBehind(key: string): Place {
    const { run, at } = this.#placeOf(key);
    return { run, at: this.#runs[run]![at]?.key === key ? at + 1 : at };
  }

  #placeOf(key: string): Place {
    // The last run that starts at or before the key.
    const run = Math.max(0, firstThat(this.#runs.length, (one) => isBehind(this.#runs[one]![0], key)) - 1);
    const entries = this.#runs[run]!;
    return { run, at: firstThat(entries.length, (one) => compareKeys(entries[one]!.key, key) >= 0) };
  }

  #rankOf({ run, at }: Place): number {
    let rank = at;
    for (let before = 0; before < run; before += 1) rank += this.#runs[before]!.length;
    return rank;
  }
}

const isBehind = (entry: Entry | undefined, key: string): boolean =>
  entry !== undefined && compareKeys(entry.key, key) > 0;

/** Binary search: once true, it is true for all later indexes. */
function firstThat(count: number, isSo: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
