/** Decodes escapes in string and bytes literals. */

const named: { [sign: string]: string } = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '`': '`',
  '?': '?',
};

const escapeSequence =
  /\\(?:([abfnrtv\\"'`?])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]?))/g;

/** Text between escapes, and the decoded escapes; a number is a byte that is not text. Undefined if an escape is invalid. */
function piecesOf(inside: string): (string | number)[] | undefined {
  const pieces: (string | number)[] = [];
  let last = 0;
  for (const match of inside.matchAll(escapeSequence)) {
    const [whole, name, hex, short, long, octal] = match;
    pieces.push(inside.slice(last, match.index));
    last = match.index + whole.length;
    if (name !== undefined) pieces.push(named[name]!);
    else if (hex) pieces.push(Number.parseInt(hex, 16));
    else if (octal) pieces.push(Number.parseInt(octal, 8));
    else {
      const point = Number.parseInt(short ?? long ?? '', 16);
      if (Number.isNaN(point) || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return undefined;
      pieces.push(String.fromCodePoint(point));
    }
  }
  return [...pieces, inside.slice(last)];
}

export const textWithEscapes = (inside: string): string | undefined =>
  piecesOf(inside)
    ?.map((piece) => (typeof piece === 'number' ? String.fromCodePoint(piece) : piece))
    .join('');

/** `\xff` is a byte here, not a code point. */
export function bytesWithEscapes(inside: string): Uint8Array | undefined {
  const pieces = piecesOf(inside);
  return (
    pieces && Buffer.concat(pieces.map((piece) => (typeof piece === 'number' ? Buffer.of(piece) : Buffer.from(piece))))
  );
}
