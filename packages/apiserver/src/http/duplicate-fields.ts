/** Finds duplicate fields in a JSON text, of which parsing silently keeps the last. */

import type { JsonValue } from '@fleet/kube/json-value.ts';

/** Paths such as `spec.containers[0].name`. The text is JSON, and `value` is its parsed value. */
export function duplicateFields(text: string, value: JsonValue): string[] {
  // Nearly always the text has as many names as the value; then there are no duplicates.
  if (colonsIn(text) === membersIn(value)) return [];
  return new DuplicateScan(text).twice.map(({ path }) => path);
}

/** Colons outside of strings, each of which follows a name. A regular expression would restart at every quote within a string. */
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

/** The limit for the length of all paths, in multiples of the text's length: below a very long name they would exceed it. */
const mostPaths = 16;

/** In the order in which Go's decoder reports them: a duplicate field at its second position. */
export function inOrderOfText(text: string, faults: readonly FieldFault[]): FieldFault[] {
  const places = new Map<string, Field>();
  let remaining = mostPaths * text.length;
  for (const field of new DuplicateScan(text).all) {
    remaining -= field.path.length;
    if (remaining < 0) break;
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

/** Identified by its parent, so that paths are never compared, which would be quadratic. */
interface Field {
  path: string;
  /** Its index among all fields, and that of its second occurrence, or -1. */
  first: number;
  again: number;
  inner: Map<string | number, Field>;
}

class DuplicateScan {
  /** In the order of their second occurrences. */
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
