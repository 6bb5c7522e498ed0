/** What of a body means nothing, fields that are unknown or stand twice: refused, warned of or passed over as the client asks. */

import { yamlErrors } from '@fleet/kube/yaml-duplicates.ts';
import { quoted } from '../errors/quoted.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** As many as kube-apiserver counts. */
const most = 100;

export class StrictFields {
  readonly #directive: FieldValidation;
  readonly #faults: string[] = [];
  readonly #yaml = new Map<string, readonly string[]>();

  constructor(directive: FieldValidation) {
    this.#directive = directive;
  }

  /** Told as one error, or as warnings one by one. */
  twiceInYaml(faults: readonly string[]): void {
    if (faults.length === 0) return;
    this.#yaml.set(yamlErrors(faults), faults);
    this.add(yamlErrors(faults));
  }

  readonly unknown = (path: string): void => this.#addField('unknown', path);

  readonly twice = (path: string): void => this.#addField('duplicate', path);

  #addField(is: string, path: string): void {
    // Before it is written: of thousands below a name that never ends, each would take as long as that.
    if (this.#faults.length < most) this.add(`${is} field ${quoted(path)}`);
  }

  /** `refuse` makes an error of the text. */
  settle(refuse: (why: string) => Error, warn: (text: string) => void): void {
    if (this.#faults.length === 0 || this.#directive === 'Ignore') return;
    if (this.#directive === 'Strict') throw refuse(`strict decoding error: ${this.#faults.join(', ')}`);
    for (const fault of this.#faults) for (const text of this.#yaml.get(fault) ?? [fault]) warn(text);
  }

  add(fault: string): void {
    if (this.#faults.length < most && !this.#faults.includes(fault)) this.#faults.push(fault);
  }
}
