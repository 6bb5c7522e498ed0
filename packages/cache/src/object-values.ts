/** Finds the values at given paths in an object's bytes: one pass for all of them, no further than the last. */

import { eachMember, isObject, type Span, spanIs, stop, stringSpan } from '@fleet/kube/json-bytes.ts';
import { rfc3339Millis } from '@fleet/kube/rfc3339.ts';
import { textOf } from './field-values.ts';

interface Branch {
  key: string;
  branches: Branch[];
  /** The whole path, if a value ends here. */
  path?: string;
}

/** Go's zero time, 0001-01-01T00:00:00Z. */
const zeroTime = -62_135_596_800_000;

export class ObjectValues {
  bytes: Buffer = Buffer.alloc(0);
  private readonly root: Branch = { key: '', branches: [] };
  private readonly count: number;
  private readonly found = new Map<string, number>();

  /** Paths such as `status.startTime`. */
  constructor(paths: Iterable<string>) {
    const distinct = new Set(paths);
    this.count = distinct.size;
    for (const path of distinct) {
      let branch = this.root;
      for (const key of path.split('.')) branch = child(branch, key);
      branch.path = path;
    }
  }

  /** Throws JsonBytesError for invalid JSON. `metadata`: its span, which is skipped. */
  read(bytes: Buffer, at: number, metadata: Span): void {
    this.bytes = bytes;
    this.found.clear();
    this.walk(this.root, at, metadata);
  }

  /** The offset of a value; undefined if absent or null. */
  at(path: string): number | undefined {
    return this.found.get(path);
  }

  /** In milliseconds since 1970; undefined if it is not a time, or Go's zero time. */
  time(path: string): number | undefined {
    const at = this.found.get(path);
    return at === undefined ? undefined : timeAt(this.bytes, at);
  }

  /** Returns the offset after the object, or `stop`. */
  private walk({ branches }: Branch, at: number, metadata?: Span): number {
    const { bytes } = this;
    return eachMember(bytes, at, (key, value) => {
      const branch = branches.find((one) => spanIs(bytes, key, one.key));
      if (!branch) return value === metadata?.start ? metadata.end : undefined;
      if (branch.path !== undefined && !isNull(bytes, value)) {
        this.found.set(branch.path, value);
        if (this.found.size === this.count) return stop;
      }
      return branch.branches.length > 0 && isObject(bytes, value) ? this.walk(branch, value) : undefined;
    });
  }
}

/** The offset of a nested value; undefined if absent or null. */
export function valueAt(bytes: Buffer, from: number, ...keys: readonly string[]): number | undefined {
  let at: number | undefined = from;
  for (const name of keys) {
    if (at === undefined || !isObject(bytes, at)) return undefined;
    let found: number | undefined;
    eachMember(bytes, at, (key, value) => {
      if (!spanIs(bytes, key, name)) return undefined;
      found = isNull(bytes, value) ? undefined : value;
      return stop;
    });
    at = found;
  }
  return at;
}

export function textAt(bytes: Buffer, from: number, ...keys: readonly string[]): string | undefined {
  const at = valueAt(bytes, from, ...keys);
  const span = at === undefined ? undefined : stringSpan(bytes, at);
  return span && textOf(bytes, span);
}

export function timeAt(bytes: Buffer, at: number): number | undefined {
  const span = stringSpan(bytes, at);
  const time = span && (plainTime(bytes, span) ?? rfc3339Millis(bytes.toString('latin1', span.start, span.end)));
  return time === zeroTime ? undefined : time;
}

/** Fast path for `2026-01-01T00:00:00Z`, the form of nearly all times; undefined for any other. */
function plainTime(bytes: Buffer, { start, end }: Span): number | undefined {
  if (end - start !== 20 || bytes[end - 1] !== 0x5a || bytes[start + 10] !== 0x54) return undefined;
  if (bytes[start + 4] !== 0x2d || bytes[start + 7] !== 0x2d) return undefined;
  if (bytes[start + 13] !== 0x3a || bytes[start + 16] !== 0x3a) return undefined;
  const two = (at: number): number => {
    const [tens, ones] = [bytes[start + at]! - 0x30, bytes[start + at + 1]! - 0x30];
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
  };
  const year = two(0) * 100 + two(2);
  const [month, day, hours, minutes, seconds] = [two(5), two(8), two(11), two(14), two(17)];
  // Date.UTC maps two-digit years to 19xx and rolls over days that a month lacks: those take the slow path.
  const isPlain =
    year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= 28 && hours < 24 && minutes < 60 && seconds < 60;
  return isPlain ? Date.UTC(year, month - 1, day, hours, minutes, seconds) : undefined;
}

const isNull = (bytes: Buffer, at: number): boolean => bytes[at] === 0x6e;

function child(branch: Branch, key: string): Branch {
  const known = branch.branches.find((one) => one.key === key);
  if (known) return known;
  const made = { key, branches: [] };
  branch.branches.push(made);
  return made;
}
