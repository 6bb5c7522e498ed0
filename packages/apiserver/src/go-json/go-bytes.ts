/** Decodes bytes as Go does in JSON: standard base64, with padding, and line breaks anywhere (`encoding/base64`). */

import { GoFault } from './go-fault.ts';

/** In Go's encoding: without line breaks, and with unused bits set to zero. */
export function goBytes(text: string): string {
  const at = isWhole(text) ? undefined : corruptAt(text);
  if (at !== undefined) throw new GoFault(`illegal base64 data at input byte ${at}`);
  return Buffer.from(text, 'base64').toString('base64');
}

/** The fast check, which nearly all texts pass. */
const isWhole = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

const isSign = (sign: string): boolean => /[A-Za-z0-9+/]/.test(sign);
const isBreak = (sign: string | undefined): boolean => sign === '\n' || sign === '\r';

/** The offset at which Go reports an error. Everything before it is ASCII, so characters are bytes. */
function corruptAt(text: string): number | undefined {
  const behindBreaks = (from: number): number => {
    let at = from;
    while (isBreak(text[at])) at++;
    return at;
  };
  /** The number of characters in the current group of four. */
  let held = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (isSign(sign)) held = (held + 1) % 4;
    else if (isBreak(sign)) continue;
    else if (sign !== '=' || held < 2) return at;
    else {
      const second = behindBreaks(at + 1);
      // The second of two padding characters is missing: the error is at the first.
      if (held === 2 && second === text.length) return Buffer.byteLength(text);
      if (held === 2 && text[second] !== '=') return second - 1;
      const end = behindBreaks(held === 2 ? second + 1 : at + 1);
      return end < text.length ? end : undefined;
    }
  }
  return held === 0 ? undefined : text.length - held;
}
