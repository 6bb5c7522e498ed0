/** The errors of a validation, and a score of how well a schema matches: of several alternatives the best match is reported. */

import type { JsonValue } from '@fleet/kube/json-value.ts';

export type Finding = { path: string; message: string } & (
  | { what: 'required' }
  | { what: 'enum'; value: JsonValue; allowed: readonly JsonValue[] }
  | { what: 'tooLong'; most: number }
  | { what: 'tooMany'; count: number; most: number }
  | { what: 'type'; value: string }
  | { what: 'other'; value: JsonValue }
  /** Without a field. */
  | { what: 'plain' }
);

export class Result {
  readonly findings: Finding[] = [];
  matches = 0;
  /** Created on demand, as most results have no errors. */
  #messages: Set<string> | undefined;

  static of(...findings: Finding[]): Result {
    return new Result().add(...findings);
  }

  /** Duplicate texts are dropped. */
  add(...findings: Finding[]): this {
    for (const finding of findings) {
      this.#messages ??= new Set();
      if (this.#messages.has(finding.message)) continue;
      this.#messages.add(finding.message);
      this.findings.push(finding);
    }
    return this;
  }

  merge(other: Result): this {
    for (const finding of other.findings) this.add(finding);
    this.matches += other.matches;
    return this;
  }

  matched(): this {
    this.matches++;
    return this;
  }

  get isValid(): boolean {
    return this.findings.length === 0;
  }
}
