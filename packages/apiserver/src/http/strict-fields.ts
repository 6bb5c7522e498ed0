/** What of a body means nothing, fields that are unknown or stand twice: refused, warned of or passed over as the client asks. */

import { quoted } from '../errors/quoted.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** As many as kube-apiserver counts. */
const most = 100;

export class StrictFields {
  readonly #directive: FieldValidation;
  readonly #faults: string[] = [];

  constructor(directive: FieldValidation) {
    this.#directive = directive;
  }

  readonly unknown = (path: string): void => this.#add(`unknown field ${quoted(path)}`);

  readonly twice = (path: string): void => this.#add(`duplicate field ${quoted(path)}`);

  /** `refuse` makes an error of the text. */
  settle(refuse: (why: string) => Error, warn: (text: string) => void): void {
    if (this.#faults.length === 0 || this.#directive === 'Ignore') return;
    if (this.#directive === 'Strict') throw refuse(`strict decoding error: ${this.#faults.join(', ')}`);
    for (const fault of this.#faults) warn(fault);
  }

  #add(fault: string): void {
    if (this.#faults.length < most && !this.#faults.includes(fault)) this.#faults.push(fault);
  }
}
