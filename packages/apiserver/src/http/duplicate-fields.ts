/** Fields that stand twice in a JSON text: parsing it keeps the last and says nothing. */

import type { JsonValue } from '@fleet/kube/json-value.ts';

const memberPattern = /"(?:[^"\\]|\\.)*"\s*:/g;

/** Their paths, as in `spec.containers[0].name`. The text is JSON, and `value` what it says. */
export function duplicateFields(text: string, value: JsonValue): string[] {
  // Nearly always as many names stand in the text as in the value; then there is nothing to look for.
  if ((text.match(memberPattern)?.length ?? 0) === membersIn(value)) return [];
  return new DuplicateScan(text).paths;
}

export interface FieldFault {
  path: string;
  is: 'twice' | 'unknown';
}

/** As Go's decoder comes upon them: a field that stands twice where it does so again. */
export function inOrderOfText(text: string, faults: readonly FieldFault[]): FieldFault[] {
  const { all } = new DuplicateScan(text);
  const place = ({ path, is }: FieldFault): number => {
    const first = all.indexOf(path);
    return is === 'twice' ? all.indexOf(path, first + 1) : first;
  };
  return faults.toSorted((left, right) => place(left) - place(right));
}

function membersIn(value: JsonValue): number {
  if (value === null || typeof value !== 'object') return 0;
  const inner = Object.values(value) as JsonValue[];
  return inner.reduce<number>((sum, one) => sum + membersIn(one), Array.isArray(value) ? 0 : inner.length);
}

class DuplicateScan {
  readonly paths: string[] = [];
  /** Every field as often as it stands there. */
  readonly all: string[] = [];
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? [];
    this.#value('');
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
      if (seen.has(name) && !this.paths.includes(inner)) this.paths.push(inner);
      seen.add(name);
      this.all.push(inner);
      this.#at += 2;
      this.#value(inner);
      if (this.#tokens[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
  }
}
