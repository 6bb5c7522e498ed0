/** Sets of indexes as a Job writes them, such as `1,3-5,7`. */

import { quoted } from '../../errors/quoted.ts';

interface Interval {
  first: number;
  last: number;
}

const isInteger = /^[+-]?[0-9]{1,15}$/;

/** Throws what is wrong with it, in Kubernetes' words. */
function intervalOf(text: string, completions: number): Interval {
  const limits = text.split('-');
  if (limits.length > 2)
    throw new RangeError(
      `the fragment ${quoted(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
  const [first, last] = limits.map((limit) => {
    if (!isInteger.test(limit)) throw new RangeError(`cannot convert string to integer for index: ${quoted(limit)}`);
    if (Number(limit) >= completions) throw new RangeError(`too large index: ${quoted(limit)}`);
    return Number(limit);
  });
  if (last === undefined) return { first: first!, last: first! };
  if (first! >= last) throw new RangeError(`non-increasing order, previous: ${first}, current: ${last}`);
  return { first: first!, last };
}

interface Indexes {
  count: number;
  fault?: string;
}

export function indexesOf(text: string, completions: number): Indexes {
  if (text === '') return { count: 0 };
  let count = 0;
  let previous: number | undefined;
  try {
    for (const part of text.split(',')) {
      const { first, last } = intervalOf(part, completions);
      if (previous !== undefined && previous >= first)
        return { count: 0, fault: `non-increasing order, previous: ${previous}, current: ${first}` };
      count += last - first + 1;
      previous = last;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { count: 0, fault: error.message };
  }
  return { count };
}

/** The first index that is in both; what cannot be read is in neither. */
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

function readable(text: string, completions: number): Interval[] {
  if (text === '') return [];
  return text.split(',').flatMap((part) => {
    try {
      return [intervalOf(part, completions)];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return [];
    }
  });
}
