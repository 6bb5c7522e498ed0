/** A kubectl that goes on, read line by line, ended at the latest with its block. */

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Kubectl } from '@fleet/bed/kubectl.ts';

export class Lines implements AsyncDisposable {
  readonly #process: Kubectl;
  readonly #lines: AsyncIterator<string>;
  #complaints = '';

  constructor(process: Kubectl) {
    this.#process = process;
    this.#lines = createInterface(process.stdout)[Symbol.asyncIterator]();
    process.stderr.on('data', (data: Buffer) => {
      this.#complaints += data;
    });
  }

  /** What the pattern finds in the next line that has it. */
  async find(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`kubectl ended before it printed ${pattern}: ${this.#complaints}`);
      const match = pattern.exec(value);
      if (match) return match;
    }
  }

  async [Symbol.asyncDispose]() {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const closed = once(this.#process, 'close');
    this.#process.kill();
    await closed;
  }
}
