/** Fields that stand twice in a JSON text: parsing it keeps the last and says nothing. */

import type { JsonValue } from '@fleet/kube/json-value.ts';

/** Their paths, as in `spec.containers[0].name`. The text is JSON, and `value` what it says. */
export function duplicateFields(text: string, value: JsonValue): string[] {
  // Nearly always as many names stand in the text as in the value; then there is nothing to look for.
  if (colonsIn(text) === membersIn(value)) return [];
  return new DuplicateScan(text).paths;
}

/** Outside of texts, where each follows a name. A pattern for names would begin anew at every quote within a text. */
function colonsIn(text: string): number {
  let count = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === 0x22) quoted = !quoted;
    else if (sign === 0x5c) at += 1;
    else if (sign === 0x3a && !quoted) count += 1;
  }
  return count;
}

export interface FieldFault {
  path: string;
  is: 'twice' | 'unknown';
}

/** As Go's decoder comes upon them: a field that stands twice where it does so again. */
export function inOrderOfText(text: string, faults: readonly FieldFault[]): FieldFault[] {
  const places = new Map<string, { first: number; again: number }>();
  for (const [at, path] of new DuplicateScan(text).all.entries()) {
    const known = places.get(path);
    if (!known) places.set(path, { first: at, again: -1 });
    else if (known.again < 0) known.again = at;
  }
  const place = ({ path, is }: FieldFault): number => places.get(path)?.[is === 'twice' ? 'again' : 'first'] ?? -1;
  return faults.toSorted((left, right) => place(left) - place(right));
}

function membersIn(value: JsonValue): number {
  if (value === null || typeof value !== 'object') return 0;
  const inner = Object.values(value) as JsonValue[];
  return inner.reduce<number>((sum, one) => sum + membersIn(one), Array.isArray(value) ? 0 : inner.length);
}

class DuplicateScan {
  readonly #paths = new Set<string>();
  /** Every field as often as it stands there. */
  readonly all: string[] = [];
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? [];
    this.#value('');
  }

  get paths(): string[] {
    return [...this.#paths];
  }

  #value(path: string): void {
    const token = this.#tokens[this.#at++];
    if (token === '[') {
      for (let index = 0; this.#tokens[this.#at] !== ']'; index += 1) {
        this.#value(`${path}[${index}]`);
        if (this.#tokens[this.#at] === ',') this.#at += 1;
      }
      this.#at += 1;
    } else if (token === '{') this.#members(path);
  }

  #members(path: string): void {
    const seen = new Set<string>();
    while (this.#tokens[this.#at] !== '}') {
      const name = JSON.parse(this.#tokens[this.#at]!) as string;
      const inner = path ? `${path}.${name}` : name;
      if (seen.has(name)) this.#paths.add(inner);
      seen.add(name);
      this.all.push(inner);
      this.#at += 2;
      this.#value(inner);
      if (this.#tokens[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
  }
}
