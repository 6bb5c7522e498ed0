/** Encodes and decodes field sets in `managedFields`: a tree of objects, with keys in Go's order. */

import { isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import { FieldSet } from './field-set.ts';
import { comparePathElements, readPathElement } from './path-element.ts';

/** The key for a field that is a member itself, in addition to fields below it. */
const itself = '.';

/** Throws SyntaxError for an invalid key. */
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
  // A field that is a member and has fields below it is written once.
  const members = set.sortedMembers().filter((step) => !set.below(step));
  const steps = [...members, ...set.sortedChildren().map(({ step }) => step)].sort(comparePathElements);
  for (const step of steps) {
    const below = set.below(step);
    setField(fields, step.text, below ? writeFields(below, set.hasMember(step)) : {});
  }
  return fields;
}
