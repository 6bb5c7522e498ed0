/** Expands the command substitutions of shell words. */

import { withoutEnding } from '@fleet/kube/trim-end.ts';
import { WordTooLong } from './expansion.ts';
import type { Write } from './streams.ts';
import type { Part, Word } from './syntax.ts';

/** In bytes. */
const longestOutput = 64 * 1024;

/** Collects output, up to a limit. */
export class HeldOutput {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  readonly write: Write = async (text) => {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    this.#length += bytes.length;
    if (this.#length > longestOutput) throw new WordTooLong('output too long');
    this.#chunks.push(bytes);
  };

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

export class Substitutions {
  readonly #run: (script: string) => Promise<{ text: string; status: number }>;
  /** Of all outputs of the command, which are held until its words are expanded. */
  #length = 0;
  /** The exit status of the last substitution. */
  status = 0;

  constructor(run: (script: string) => Promise<{ text: string; status: number }>) {
    this.#run = run;
  }

  async inAll(words: readonly Word[]): Promise<Word[]> {
    const replaced: Word[] = [];
    for (const word of words) replaced.push(await this.in(word));
    return replaced;
  }

  async in(word: Word): Promise<Word> {
    const parts: Part[] = [];
    for (const part of word) parts.push(part.is === 'command' ? await this.#output(part) : part);
    return parts;
  }

  async #output({ script, isQuoted }: Part & { is: 'command' }): Promise<Part> {
    const { text, status } = await this.#run(script);
    this.#length += text.length;
    if (this.#length > longestOutput) throw new WordTooLong('output too long');
    this.status = status;
    return { is: 'output', text: withoutEnding(text, (sign) => sign === '\n'), isQuoted };
  }
}
