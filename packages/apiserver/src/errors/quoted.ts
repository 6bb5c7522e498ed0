/** Quotes a text as Go's `%q` does: unprintable characters are escaped. */

const unprintable = /[\p{Z}\p{C}]/gu;
const named: { [sign: string]: string } = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  ' ': ' ',
};

export const quoted = (text: string): string =>
  `"${text.replace(/["\\]/g, '\\$&').replace(unprintable, (sign) => named[sign] ?? escaped(sign.codePointAt(0)!))}"`;

function escaped(point: number): string {
  const hex = point.toString(16);
  if (point < 0x80) return `\\x${hex.padStart(2, '0')}`;
  return point > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
