/** Unknown and duplicate fields of a body: refused, reported as warnings or ignored, as the client requests. */

import { yamlErrors } from '@fleet/kube/yaml-duplicates.ts';
import { quoted } from '../errors/quoted.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The limit of kube-apiserver. */
const most = 100;

export class StrictFields {
  readonly #directive: FieldValidation;
  readonly #faults: string[] = [];
  readonly #yaml = new Map<string, readonly string[]>();

  constructor(directive: FieldValidation) {
    this.#directive = directive;
  }

  /** Reported as one error, or as one warning each. */
  twiceInYaml(faults: readonly string[]): void {
    if (faults.length === 0) return;
    this.#yaml.set(yamlErrors(faults), faults);
    this.add(yamlErrors(faults));
  }

  readonly unknown = (path: string): void => this.#addField('unknown', path);

  readonly twice = (path: string): void => this.#addField('duplicate', path);

  #addField(is: string, path: string): void {
    // Checked before formatting: of thousands of fields below a very long name, each path would be that long.
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
