/** The variables of a shell, of which a script cannot have without end. */

import { WordTooLong } from './expansion.ts';

const mostVariables = 1_000;
/** In characters, of all of them. */
const mostText = 1024 * 1024;

export class Variables extends Map<string, string> {
  #text = 0;

  override set(name: string, value: string): this {
    const before = this.get(name);
    const text = this.#text + value.length - (before?.length ?? 0);
    if (text > mostText || (before === undefined && this.size >= mostVariables)) throw new WordTooLong('out of memory');
    this.#text = text;
    return super.set(name, value);
  }

  override delete(name: string): boolean {
    this.#text -= this.get(name)?.length ?? 0;
    return super.delete(name);
  }
}
