/** Bytes as Go reads them in JSON: standard base64, with line breaks anywhere, padded (`encoding/base64`). */

import { GoFault } from './go-fault.ts';

/** Written again as Go writes them: without line breaks, and without bits that stand for nothing. */
export function goBytes(text: string): string {
  const at = isWhole(text) ? undefined : corruptAt(text);
  if (at !== undefined) throw new GoFault(`illegal base64 data at input byte ${at}`);
  return Buffer.from(text, 'base64').toString('base64');
}

/** Nearly all are; and to look at each sign takes long. */
const isWhole = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

const isSign = (sign: string): boolean => /[A-Za-z0-9+/]/.test(sign);
const isBreak = (sign: string | undefined): boolean => sign === '\n' || sign === '\r';

/** Where Go says that it cannot go on. All before it is ASCII, so that signs are bytes. */
function corruptAt(text: string): number | undefined {
  const behindBreaks = (from: number): number => {
    let at = from;
    while (isBreak(text[at])) at++;
    return at;
  };
  /** How many signs of a group of four there are. */
  let held = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (isSign(sign)) held = (held + 1) % 4;
    else if (isBreak(sign)) continue;
    else if (sign !== '=' || held < 2) return at;
    else {
      const second = behindBreaks(at + 1);
      // Of two signs of padding the second is looked for; it is told where the one before it stands.
      if (held === 2 && second === text.length) return Buffer.byteLength(text);
      if (held === 2 && text[second] !== '=') return second - 1;
      const end = behindBreaks(held === 2 ? second + 1 : at + 1);
      return end < text.length ? end : undefined;
    }
  }
  return held === 0 ? undefined : text.length - held;
}
