/** Sets of fields as `managedFields` carry them: a tree of objects, keys in Go's order. */

import { isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import { FieldSet } from './field-set.ts';
import { comparePathElements, readPathElement } from './path-element.ts';

/** A field that is in the set itself, beside fields below it. */
const itself = '.';

/** Throws SyntaxError for keys that are none. */
export function readFields(fields: JsonValue): FieldSet {
  return readTree(fields).below ?? new FieldSet();
}

function readTree(fields: JsonValue): { below: FieldSet | undefined; isMember: boolean } {
  if (!isObject(fields)) throw new SyntaxError('expected an object of fields');
  let below: FieldSet | undefined;
  let isMember = false;
  for (const [key, value] of Object.entries(fields)) {
    if (key === itself) {
      isMember = true;
      continue;
    }
    const step = readPathElement(key);
    if (!step) continue;
    below ??= new FieldSet();
    const child = readTree(value);
    below.put(step, child.isMember, child.below);
  }
  return { below, isMember: isMember || !below };
}

export function writeFields(set: FieldSet, isMember = false): JsonObject {
  const fields: JsonObject = {};
  if (isMember) fields[itself] = {};
  // One that is in the set and has something below is written once.
  const members = set.sortedMembers().filter((step) => !set.below(step));
  const steps = [...members, ...set.sortedChildren().map(({ step }) => step)].sort(comparePathElements);
  for (const step of steps) {
    const below = set.below(step);
    setField(fields, step.text, below ? writeFields(below, set.hasMember(step)) : {});
  }
  return fields;
}
