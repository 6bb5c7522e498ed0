/** Compares two values of one type, and returns the fields that differ. */

import { equalJson, isObject, type JsonValue } from '@fleet/kube/json-value.ts';
import type { Atom, ListType, MapType, TypeRef } from '../../schema/merge-type.ts';
import { FieldSet } from '../fields/field-set.ts';
import { byName, type PathElement } from '../fields/path-element.ts';
import { checkedStep } from './list-element.ts';
import { fitting, handle, noType } from './validation.ts';

export interface Comparison {
  removed: FieldSet;
  modified: FieldSet;
  added: FieldSet;
}

type Value = JsonValue | undefined;

/** A path as a linked list from its end: most fields are equal, and their paths are never built. */
interface Path {
  above: Path | undefined;
  step: PathElement;
}

function insert(set: FieldSet, path: Path | undefined): void {
  const steps: PathElement[] = [];
  for (let at = path; at; at = at.above) steps.push(at.step);
  set.insert(steps.reverse());
}

/** For values that are valid for the type. */
export function compare(left: JsonValue, right: JsonValue, type: TypeRef): Comparison {
  const comparison = { removed: new FieldSet(), modified: new FieldSet(), added: new FieldSet() };
  visit(comparison, undefined, left, right, type);
  return comparison;
}

const sameAtom = (left: Atom, right: Atom): boolean =>
  left.map === right.map && left.list === right.list && left.scalar === right.scalar;

function visit(comparison: Comparison, path: Path | undefined, left: Value, right: Value, type: TypeRef): void {
  const atom = type.resolve();
  if (!atom) throw new TypeError(noType(type));
  const leftAtom = fitting(atom, left);
  const rightAtom = fitting(atom, right);
  // An absent value has the form of the other.
  const forms =
    right === undefined
      ? [leftAtom]
      : left === undefined || sameAtom(leftAtom, rightAtom)
        ? [rightAtom]
        : [leftAtom, rightAtom];
  const leaves = forms.map((form) => compareAs(comparison, path, left, right, form, type));
  if (!leaves.at(-1)) {
    if (left === undefined) insert(comparison.added, path);
    else if (right === undefined) insert(comparison.removed, path);
  }
}

/** Returns true for a leaf, which stands for everything in it. */
function compareAs(
  comparison: Comparison,
  path: Path | undefined,
  left: Value,
  right: Value,
  form: Atom,
  type: TypeRef,
): boolean {
  const leaf = (): boolean => {
    if (left === undefined) insert(comparison.added, path);
    else if (right === undefined) insert(comparison.removed, path);
    else if (!equalJson(left, right)) insert(comparison.modified, path);
    return true;
  };
  return handle<boolean>(form, type, {
    scalar: leaf,
    list: (list) => {
      const [leftItems, rightItems] = [left, right].map((value) => (Array.isArray(value) ? value : [])) as [
        JsonValue[],
        JsonValue[],
      ];
      // If both are empty they are leaves: null and empty differ.
      if (list.atomic || (leftItems.length === 0 && rightItems.length === 0)) return leaf();
      compareLists(comparison, path, leftItems, rightItems, list);
      return false;
    },
    map: (map) => {
      const [leftItems, rightItems] = [left, right].map((value) => (isObject(value) ? value : {}));
      const keys = new Set([...Object.keys(leftItems!), ...Object.keys(rightItems!)]);
      if (map.atomic || keys.size === 0) return leaf();
      for (const key of keys) compareField(comparison, path, key, leftItems!, rightItems!, map);
      return false;
    },
    none: (message) => {
      throw new TypeError(message);
    },
  });
}

type Fields = { [key: string]: JsonValue };

function compareField(
  comparison: Comparison,
  path: Path | undefined,
  key: string,
  left: Fields,
  right: Fields,
  map: MapType,
) {
  const type = map.field(key)?.type ?? map.element;
  if (!type) throw new TypeError('schema error: invalid atom: inlined');
  const of = (fields: Fields) => (Object.hasOwn(fields, key) ? fields[key] : undefined);
  const [before, after] = [of(left), of(right)];
  if (before !== after) visit(comparison, { above: path, step: byName(key) }, before, after, type);
}

interface Occurrences {
  step: PathElement;
  left: JsonValue[];
  right: JsonValue[];
}

function compareLists(
  comparison: Comparison,
  path: Path | undefined,
  left: JsonValue[],
  right: JsonValue[],
  type: ListType,
): void {
  const elements = new Map<string, Occurrences>();
  for (const [side, list] of [['left', left] as const, ['right', right] as const]) {
    for (const [index, element] of list.entries()) {
      const step = checkedStep(type, element, index);
      const known = elements.get(step.text) ?? { step, left: [], right: [] };
      known[side].push(element);
      elements.set(step.text, known);
    }
  }
  for (const one of elements.values()) compareElement(comparison, { above: path, step: one.step }, one, type);
}

/** A repeated element is a leaf of its own. */
function compareElement(
  comparison: Comparison,
  path: Path | undefined,
  { left, right }: Occurrences,
  type: ListType,
): void {
  if (left.length <= 1 && right.length <= 1) visit(comparison, path, left[0], right[0], type.element);
  else if (left.length >= 2 && right.length >= 2) {
    if (!equalJson(left, right)) insert(comparison.modified, path);
  } else if (left.length >= 2) {
    if (right.length > 0) visit(comparison, path, undefined, right[0], type.element);
    insert(comparison.removed, path);
  } else {
    if (left.length > 0) visit(comparison, path, left[0], undefined, type.element);
    insert(comparison.added, path);
  }
}
