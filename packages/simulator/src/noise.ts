/** Pseudo-random numbers as a pure function of a seed and an index, so that they can be recomputed instead of stored. */

import { fnv32a } from './hashes.ts';

export const hashOf = (text: string): number => fnv32a(Buffer.from(text));

/** The nth number of a seed, in [0, 1). */
export function noise(seed: number, n: number): number {
  let mixed = Math.imul((seed ^ Math.imul(n | 0, 0x9e3779b1) ^ Math.floor(n / 4_294_967_296)) >>> 0, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296;
}

export const pick = <T>(choices: readonly T[], random: number): T => choices[Math.floor(random * choices.length)]!;
