/** Bytes as Go reads them in JSON: standard base64, with line breaks anywhere, padded. */

import { GoFault } from './go-fault.ts';

const corrupt = (at: number): GoFault => new GoFault(`illegal base64 data at input byte ${at}`);

/** Written again without the line breaks. */
export function goBytes(text: string): string {
  const misfit = /[^A-Za-z0-9+/=\r\n]/.exec(text);
  const plain = text.replace(/[\r\n]/g, '');
  const body = plain.replace(/={1,2}$/, '');
  const early = body.indexOf('=');
  if (misfit && (early < 0 || misfit.index <= early)) throw corrupt(misfit.index);
  if (early >= 0) throw corrupt(early);
  const tail = body.length % 4;
  const padding = plain.length - body.length;
  if (tail === 0 && padding === 0) return plain;
  if (tail + padding !== 4 || tail < 2) throw corrupt(Math.min(plain.length, body.length - tail + 4));
  return plain;
}
