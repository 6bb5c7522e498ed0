/** Generates names, as apiserver's `storage/names` does. */

import { randomInt } from 'node:crypto';

/** Without vowels and similar characters, so that names are not words. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const randomLength = 5;
const longestBase = 63 - randomLength;

export const generatedName = (base: string): string =>
  base.slice(0, longestBase) +
  Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
