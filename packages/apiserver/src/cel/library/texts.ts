/** The library of strings: CEL's own functions, and version 2 of cel-go's extension. Positions are in code points. */

import { withoutEnding } from '@fleet/kube/trim-end.ts';
import { quoted } from '../../errors/quoted.ts';
import type { Library } from '../environment.ts';
import * as types from '../types.ts';
import { EvaluationError, ListValue, noSuchOverload, PlainList, type Value } from '../values.ts';
import { asInt, asText, declare, free, member } from './declare.ts';
import { formatText } from './text-format.ts';

const { bool, dyn, int, list, string } = types;

const outOfRange = (index: bigint): EvaluationError => new EvaluationError(`index out of range: ${index}`);

function charAt([text, at]: readonly Value[]): Value {
  const points = [...asText(text)];
  const index = asInt(at);
  if (index < 0n || index > BigInt(points.length)) throw outOfRange(index);
  return points[Number(index)] ?? '';
}

/** Whether a part occurs at a position. */
const standsAt = (points: readonly string[], part: readonly string[], at: number): boolean =>
  part.every((one, index) => points[at + index] === one);

export function indexOf([text, part, offset]: readonly Value[]): Value {
  const start = offset === undefined ? 0n : asInt(offset);
  if (asText(part) === '') return start;
  const [points, needle] = [[...asText(text)], [...asText(part)]];
  if (start < 0n) throw outOfRange(start);
  for (let at = Number(start); at <= points.length - needle.length; at++)
    if (standsAt(points, needle, at)) return BigInt(at);
  return -1n;
}

export function lastIndexOf([text, part, offset]: readonly Value[]): Value {
  const [points, needle] = [[...asText(text)], [...asText(part)]];
  if (needle.length === 0) return offset === undefined ? BigInt(points.length) : asInt(offset);
  if (offset === undefined && points.length < needle.length) return -1n;
  const start = offset === undefined ? BigInt(points.length - 1) : asInt(offset);
  if (start < 0n) throw outOfRange(start);
  if (start >= BigInt(points.length)) return -1n;
  for (let at = Math.min(Number(start), points.length - needle.length); at >= 0; at--) {
    if (standsAt(points, needle, at)) return BigInt(at);
  }
  return -1n;
}

function substring([text, from, to]: readonly Value[]): Value {
  const points = [...asText(text)];
  const start = asInt(from);
  const end = to === undefined ? BigInt(points.length) : asInt(to);
  if (to !== undefined && start > end) {
    throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  for (const index of [start, end]) if (index < 0n || index > BigInt(points.length)) throw outOfRange(index);
  return points.slice(Number(start), Number(end)).join('');
}

/** A negative count means all. */
function replace([text, old, next, count]: readonly Value[]): Value {
  const parts = splitAt(
    asText(text),
    asText(old),
    count === undefined ? -1 : countOf(count) + (asInt(count) < 0n ? 0 : 1),
  );
  if (count !== undefined && asInt(count) === 0n) return text!;
  // Between all characters, and at both ends.
  if (old === '') {
    const points = [...asText(text)];
    const most =
      count === undefined || asInt(count) < 0n ? points.length + 1 : Math.min(countOf(count), points.length + 1);
    return (
      points.map((one, index) => (index < most ? asText(next) : '') + one).join('') +
      (most > points.length ? asText(next) : '')
    );
  }
  return parts.join(asText(next));
}

const countOf = (value: Value): number => {
  const count = asInt(value);
  return count < 0n || count > 2n ** 31n ? -1 : Number(count);
};

/** At most so many parts, of which the last has the rest; a negative number means all. */
function splitAt(text: string, separator: string, most: number): string[] {
  if (most === 0) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  if (most < 0 || parts.length <= most) return parts;
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

function split([text, separator, count]: readonly Value[]): Value {
  return new PlainList(splitAt(asText(text), asText(separator), count === undefined ? -1 : countOf(count)));
}

function join([texts, separator]: readonly Value[]): Value {
  if (!(texts instanceof ListValue)) throw noSuchOverload();
  return [...texts].map(asText).join(separator === undefined ? '' : asText(separator));
}

const ascii =
  (change: (text: string) => string) =>
  ([text]: readonly Value[]) =>
    asText(text).replace(/[A-Za-z]+/g, change);

export const texts: Library = {
  contains: declare([member('contains_string', [string, string], bool)], ([text, part]) =>
    asText(text).includes(asText(part)),
  ),
  startsWith: declare([member('starts_with_string', [string, string], bool)], ([text, part]) =>
    asText(text).startsWith(asText(part)),
  ),
  endsWith: declare([member('ends_with_string', [string, string], bool)], ([text, part]) =>
    asText(text).endsWith(asText(part)),
  ),
  charAt: declare([member('string_char_at_int', [string, int], string)], charAt),
  indexOf: declare(
    [
      member('string_index_of_string', [string, string], int),
      member('string_index_of_string_int', [string, string, int], int),
    ],
    indexOf,
  ),
  lastIndexOf: declare(
    [
      member('string_last_index_of_string', [string, string], int),
      member('string_last_index_of_string_int', [string, string, int], int),
    ],
    lastIndexOf,
  ),
  lowerAscii: declare(
    [member('string_lower_ascii', [string], string)],
    ascii((text) => text.toLowerCase()),
  ),
  upperAscii: declare(
    [member('string_upper_ascii', [string], string)],
    ascii((text) => text.toUpperCase()),
  ),
  replace: declare(
    [
      member('string_replace_string_string', [string, string, string], string),
      member('string_replace_string_string_int', [string, string, string, int], string),
    ],
    replace,
  ),
  split: declare(
    [
      member('string_split_string', [string, string], list(string)),
      member('string_split_string_int', [string, string, int], list(string)),
    ],
    split,
  ),
  substring: declare(
    [
      member('string_substring_int', [string, int], string),
      member('string_substring_int_int', [string, int, int], string),
    ],
    substring,
  ),
  trim: declare([member('string_trim', [string], string)], ([text]) =>
    withoutEnding(asText(text).replace(/^[\s\u0085]+/, ''), (sign) => /[\s\u0085]/.test(sign)),
  ),
  format: declare([member('string_format', [string, list(dyn)], string)], ([text, args]) => {
    if (!(args instanceof ListValue)) throw noSuchOverload();
    return formatText(asText(text), [...args]);
  }),
  'strings.quote': declare([free('strings_quote', [string], string)], ([text]) => quoted(asText(text))),
  join: declare(
    [member('list_join', [list(string)], string), member('list_join_string', [list(string), string], string)],
    join,
  ),
};
