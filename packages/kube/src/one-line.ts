/**
 * JSON as one line, as an event of a watch has to be. White space between its tokens may be line ends, and some clients pass over
 * lines that are no JSON: a member could put a line of its own, the event of another cluster, into a merged watch (SEC-1).
 */

import { JsonBytesError } from './json-bytes.ts';
import { backslash, quote } from './json-signs.ts';

const [lineFeed, carriageReturn, tab, space] = [0x0a, 0x0d, 0x09, 0x20];
/** How U+2028 and U+2029 begin, and each of them: Node's readline ends lines there, too. */
const separators = ['\u2028', '\u2029'].map((separator) => Buffer.from(separator));
const begunSeparator = separators[0]!.subarray(0, 2);
/** Python's `splitlines` ends lines at these, too, and httpx as it does. No valid JSON has them, but for U+0085 in a string. */
const controls = ['\v', '\f', '\x1c', '\x1d', '\x1e'].map((control) => control.charCodeAt(0));
const nextLine = Buffer.from('\x85');

/** Hardly any JSON of a member has one: native searches are all that it costs. */
const canEndLines = (json: Buffer): boolean =>
  json.includes(lineFeed) ||
  json.includes(carriageReturn) ||
  controls.some((control) => json.includes(control)) ||
  json.includes(nextLine) ||
  (json.includes(begunSeparator) && separators.some((separator) => json.includes(separator)));

/**
 * The JSON with a blank for each line end between tokens: no offset changes. The very same bytes if there is none. Throws at what
 * is no JSON: line ends in a string, and other line separators outside of one. In a string those are valid, and harmless: what is
 * behind them has no quotes but escaped ones.
 */
export function oneLine(json: Buffer): Buffer {
  if (!canEndLines(json)) return json;
  let line: Buffer | undefined;
  let isString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === quote) isString = !isString;
    else if (isString) {
      if (byte === backslash && json[at + 1]! >= space) at++;
      else if (byte < space) throw new JsonBytesError('a control character in a string');
    } else if (byte === lineFeed || byte === carriageReturn) {
      line ??= Buffer.from(json);
      line[at] = space;
    } else if (byte > 0x7e || (byte < space && byte !== tab)) {
      throw new JsonBytesError('a character between tokens that is no white space');
    }
  }
  return line ?? json;
}
