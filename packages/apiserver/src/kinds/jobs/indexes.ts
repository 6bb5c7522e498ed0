/** Parses sets of completion indexes in a Job's status, such as `1,3-5,7`. */

import { quoted } from '../../errors/quoted.ts';

interface Interval {
  first: number;
  last: number;
}

const isInteger = /^[+-]?[0-9]{1,15}$/;

/** An interval, or Kubernetes' error text. */
function intervalOf(text: string, completions: number): Interval | string {
  const limits = text.split('-', 3);
  if (limits.length > 2)
    return `the fragment ${quoted(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  for (const limit of limits) {
    if (!isInteger.test(limit)) return `cannot convert string to integer for index: ${quoted(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${quoted(limit)}`;
  }
  const [first = 0, last = first] = limits.map(Number);
  return limits.length === 2 && first >= last
    ? `non-increasing order, previous: ${first}, current: ${last}`
    : { first, last };
}

interface Indexes {
  count: number;
  fault?: string;
}

export function indexesOf(text: string, completions: number): Indexes {
  if (text === '') return { count: 0 };
  let count = 0;
  let previous: number | undefined;
  for (const part of text.split(',')) {
    const interval = intervalOf(part, completions);
    if (typeof interval === 'string') return { count: 0, fault: interval };
    const { first, last } = interval;
    if (previous !== undefined && previous >= first)
      return { count: 0, fault: `non-increasing order, previous: ${previous}, current: ${first}` };
    count += last - first + 1;
    previous = last;
  }
  return { count };
}

/** The first index that is in both sets; an invalid text is an empty set. */
export function sharedIndex(one: string, other: string, completions: number): number | undefined {
  const [left, right] = [readable(one, completions), readable(other, completions)];
  for (let [l, r] = [0, 0]; l < left.length && r < right.length; ) {
    const [a, b] = [left[l]!, right[r]!];
    if (a.first <= b.last && b.first <= a.last) return Math.max(a.first, b.first);
    if (a.first <= b.first) l += 1;
    else r += 1;
  }
  return undefined;
}

const readable = (text: string, completions: number): Interval[] =>
  text === ''
    ? []
    : text
        .split(',')
        .map((part) => intervalOf(part, completions))
        .filter((interval) => typeof interval !== 'string');
