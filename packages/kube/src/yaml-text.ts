/** Decodes the bytes of YAML, and refuses what kube-apiserver's parser refuses, with its error texts. */

import { isUtf8 } from 'node:buffer';
import { badRequest, type StatusError } from './status.ts';

const refused = (why: string): StatusError => badRequest(`error converting YAML to JSON: yaml: ${why}`);

export function yamlText(bytes: Buffer): string {
  const fault = isUtf8(bytes) ? undefined : firstFault(bytes);
  const text = bytes.toString('utf8', 0, fault?.at);
  refuseControlCharacters(text);
  if (fault) throw refused(fault.why);
  return text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const controlCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

function refuseControlCharacters(text: string): void {
  if (controlCharacters.test(text)) throw refused('control characters are not allowed');
}

interface Fault {
  at: number;
  why: string;
}

function firstFault(bytes: Buffer): Fault | undefined {
  for (let at = 0; at < bytes.length; ) {
    const width = widthOf(bytes[at]!);
    const why = faultOf(bytes.subarray(at, at + width), width);
    if (why !== undefined) return { at, why };
    at += width;
  }
  return undefined;
}

/** The length of a character by its first byte; 0 if no character begins so. */
function widthOf(octet: number): number {
  if (octet >> 7 === 0) return 1;
  if (octet >> 5 === 0b110) return 2;
  if (octet >> 4 === 0b1110) return 3;
  return octet >> 3 === 0b11110 ? 4 : 0;
}

function faultOf(octets: Buffer, width: number): string | undefined {
  if (width === 0) return 'invalid leading UTF-8 octet';
  if (octets.length < width) return 'incomplete UTF-8 octet sequence';
  const [first, ...trailing] = octets;
  if (trailing.some((octet) => (octet & 0xc0) !== 0x80)) return 'invalid trailing UTF-8 octet';
  const leading = width === 1 ? first! : first! & (0x7f >> width);
  const value = trailing.reduce((sum, octet) => (sum << 6) + (octet & 0x3f), leading);
  if (value < [0, 0x80, 0x800, 0x10000][width - 1]!) return 'invalid length of a UTF-8 sequence';
  return (value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff ? 'invalid Unicode character' : undefined;
}
