/** The variables of a shell, with limits. */

import { WordTooLong } from './expansion.ts';

const mostVariables = 1_000;
/** In characters, for all names and values. */
const mostText = 1024 * 1024;

export interface VariableLimits {
  count: number;
  text: number;
}

/** The limits for variables that a script adds to those of its container, however many these are. */
export function limitsBeyond(environment: ReadonlyMap<string, string>): VariableLimits {
  let text = mostText;
  for (const [name, value] of environment) text += name.length + value.length;
  return { count: mostVariables + environment.size, text };
}

export class Variables extends Map<string, string> {
  readonly #limits: VariableLimits;
  #text = 0;

  constructor(limits: VariableLimits) {
    super();
    this.#limits = limits;
  }

  override set(name: string, value: string): this {
    const before = this.get(name);
    const text = this.#text + value.length + (before === undefined ? name.length : -before.length);
    const isMore = before === undefined && this.size >= this.#limits.count;
    if (isMore || text > this.#limits.text) throw new WordTooLong('out of memory');
    this.#text = text;
    return super.set(name, value);
  }

  override delete(name: string): boolean {
    const before = this.get(name);
    if (before !== undefined) this.#text -= name.length + before.length;
    return super.delete(name);
  }
}

/** Includes variables without a value. */
export class ExportedNames extends Set<string> {
  readonly #limits: VariableLimits;
  #text = 0;

  constructor(limits: VariableLimits) {
    super();
    this.#limits = limits;
  }

  override add(name: string): this {
    if (this.has(name)) return this;
    const text = this.#text + name.length;
    if (this.size >= this.#limits.count || text > this.#limits.text) throw new WordTooLong('out of memory');
    this.#text = text;
    return super.add(name);
  }

  override delete(name: string): boolean {
    if (this.has(name)) this.#text -= name.length;
    return super.delete(name);
  }
}
