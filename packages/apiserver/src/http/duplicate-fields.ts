/** Fields that stand twice in a JSON text: parsing it keeps the last and says nothing. */

import type { JsonValue } from '@fleet/kube/json-value.ts';

/** Their paths, as in `spec.containers[0].name`. The text is JSON, and `value` what it says. */
export function duplicateFields(text: string, value: JsonValue): string[] {
  // Nearly always as many names stand in the text as in the value; then there is nothing to look for.
  if (colonsIn(text) === membersIn(value)) return [];
  return new DuplicateScan(text).twice.map(({ path }) => path);
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

/** How much longer all paths together may be than the text, to be worth its order: below a name that never ends they are. */
const mostPaths = 16;

/** As Go's decoder comes upon them: a field that stands twice where it does so again. */
export function inOrderOfText(text: string, faults: readonly FieldFault[]): FieldFault[] {
  const places = new Map<string, Field>();
  let room = mostPaths * text.length;
  for (const field of new DuplicateScan(text).all) {
    room -= field.path.length;
    if (room < 0) break;
    places.set(field.path, field);
  }
  const place = ({ path, is }: FieldFault): number => places.get(path)?.[is === 'twice' ? 'again' : 'first'] ?? -1;
  return faults.toSorted((left, right) => place(left) - place(right));
}

function membersIn(value: JsonValue): number {
  if (value === null || typeof value !== 'object') return 0;
  const inner = Object.values(value) as JsonValue[];
  return inner.reduce<number>((sum, one) => sum + membersIn(one), Array.isArray(value) ? 0 : inner.length);
}

/** Paths are never compared, which would take as long as they are: a field is known by the one it stands in. */
interface Field {
  path: string;
  /** Where it stands among all fields, and where it does so again, or -1. */
  first: number;
  again: number;
  inner: Map<string | number, Field>;
}

class DuplicateScan {
  /** In the order in which they stand there again. */
  readonly twice: Field[] = [];
  readonly all: Field[] = [];
  readonly #tokens: readonly string[];
  #at = 0;
  #count = 0;

  constructor(text: string) {
    this.#tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? [];
    this.#value(fieldAt('', -1));
  }

  #value(field: Field): void {
    const token = this.#tokens[this.#at++];
    if (token === '[') {
      for (let index = 0; this.#tokens[this.#at] !== ']'; index += 1) {
        this.#value(innerOf(field, index, () => fieldAt(`${field.path}[${index}]`, -1)));
        if (this.#tokens[this.#at] === ',') this.#at += 1;
      }
      this.#at += 1;
    } else if (token === '{') this.#members(field);
  }

  #members(field: Field): void {
    const seen = new Set<string>();
    while (this.#tokens[this.#at] !== '}') {
      const name = JSON.parse(this.#tokens[this.#at]!) as string;
      const inner = innerOf(field, name, () => this.#newField(field, name));
      if (seen.has(name)) this.#again(inner);
      seen.add(name);
      this.#count += 1;
      this.#at += 2;
      this.#value(inner);
      if (this.#tokens[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
  }

  #newField(outer: Field, name: string): Field {
    const field = fieldAt(outer.path ? `${outer.path}.${name}` : name, this.#count);
    this.all.push(field);
    return field;
  }

  #again(field: Field): void {
    if (field.again >= 0) return;
    field.again = this.#count;
    this.twice.push(field);
  }
}

const fieldAt = (path: string, first: number): Field => ({ path, first, again: -1, inner: new Map() });

function innerOf(field: Field, name: string | number, make: () => Field): Field {
  const known = field.inner.get(name);
  if (known) return known;
  const made = make();
  field.inner.set(name, made);
  return made;
}
