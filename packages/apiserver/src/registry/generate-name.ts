/** Names that the server makes up, as apiserver's `storage/names` does. */

import { randomInt } from 'node:crypto';

/** Without vowels and what looks like them, so that no words come up. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const randomLength = 5;
const longestBase = 63 - randomLength;

export const generatedName = (base: string): string =>
  base.slice(0, longestBase) +
  Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
