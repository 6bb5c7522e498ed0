/** The warnings of a response, without duplicates and within kube-apiserver's limits (`filters/warning.go`). */

import { warningHeader } from '@fleet/kube/warning.ts';

/** In characters. If their total exceeds the first, each is truncated to the second. */
const [mostInAll, mostOfOne] = [4 * 1024, 256];

export class Warnings {
  readonly #texts = new Set<string>();
  #written = 0;
  #isCutting = false;

  readonly add = (text: string): void => {
    if (text === '' || this.#texts.has(text) || (this.#isCutting && this.#written >= mostInAll)) return;
    this.#texts.add(text);
    if (isWritable(text)) this.#written += this.#shown(text).length;
    if (this.#isCutting || this.#written <= mostInAll) return;
    this.#isCutting = true;
    this.#written = [...this.#texts].reduce((sum, one) => sum + (isWritable(one) ? this.#shown(one).length : 0), 0);
  };

  get headers(): string[] {
    return [...this.#texts].filter(isWritable).map((text) => warningHeader(this.#shown(text).join('')));
  }

  #shown(text: string): string[] {
    const signs = [...text];
    return this.#isCutting ? signs.slice(0, mostOfOne) : signs;
  }
}

const isWritable = (text: string): boolean => !/\p{Cc}/u.test(text);
