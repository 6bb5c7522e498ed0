/** Merges an applied configuration into a live value; removals are handled separately. */

import { isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import type { Atom, ListType, MapType, TypeRef } from '../../schema/merge-type.ts';
import type { PathElement } from '../fields/path-element.ts';
import { checkedStep } from './list-element.ts';
import { fitting, handle, noType } from './validation.ts';

type Value = JsonValue | undefined;

/** For values that are valid for the type; the applied one has no repeated elements. */
export function merge(live: Value, applied: Value, type: TypeRef): Value {
  const atom = type.resolve();
  if (!atom) throw new TypeError(noType(type));
  // An absent value has the form of the other.
  return mergeAs(live, applied, fitting(atom, applied === undefined ? live : applied), type);
}

function mergeAs(live: Value, applied: Value, form: Atom, type: TypeRef): Value {
  const leaf = () => applied ?? (applied === undefined ? live : null);
  return handle<Value>(form, type, {
    scalar: leaf,
    list: (list) => {
      const lives = Array.isArray(live) ? live : [];
      const applies = Array.isArray(applied) ? applied : [];
      if (list.atomic || (lives.length === 0 && applies.length === 0)) return leaf();
      return mergeLists(lives, applies, list);
    },
    map: (map) => {
      const lives = isObject(live) ? live : {};
      const applies = isObject(applied) ? applied : {};
      const keys = new Set([...Object.keys(lives), ...Object.keys(applies)]);
      if (map.atomic || keys.size === 0) return leaf();
      return mergeMaps(lives, applies, keys, map);
    },
    none: (message) => {
      throw new TypeError(message);
    },
  });
}

function mergeMaps(live: JsonObject, applied: JsonObject, keys: Set<string>, map: MapType): Value {
  const merged: JsonObject = {};
  for (const key of keys) {
    const type = map.field(key)?.type ?? map.element;
    if (!type) throw new TypeError('schema error: invalid atom: inlined');
    const of = (object: JsonObject) => (Object.hasOwn(object, key) ? object[key] : undefined);
    const value = merge(of(live), of(applied), type);
    if (value !== undefined) setField(merged, key, value);
  }
  return Object.keys(merged).length > 0 ? merged : undefined;
}

interface Indexed {
  steps: PathElement[];
  byStep: Map<string, JsonValue>;
}

function indexed(list: JsonValue[], type: ListType): Indexed {
  const byStep = new Map<string, JsonValue>();
  const steps = list.map((element, index) => {
    const step = checkedStep(type, element, index);
    // It is ambiguous which of two equal elements to merge with, so neither is.
    byStep.set(step.text, byStep.has(step.text) ? null : element);
    return step;
  });
  return { steps, byStep };
}

/**
 * Merges in the order of the applied list; elements that only the live list has keep the element that they follow.
 * Walks both lists at once. `nextShared` is the next applied element that the live list has, too.
 */
function mergeLists(live: JsonValue[], applied: JsonValue[], type: ListType): Value {
  const left = indexed(live, type);
  const right = indexed(applied, type);
  const shared = right.steps.filter(({ text }) => left.byStep.has(text));
  let nextShared = shared.shift();
  const done = new Set<string>();
  const merged: JsonValue[] = [];
  const take = (leftValue: Value, rightValue: Value) => {
    const value = merge(leftValue, rightValue, type.element);
    if (value !== undefined) merged.push(value);
  };
  for (let l = 0, r = 0; l < left.steps.length || r < right.steps.length; ) {
    const here = left.steps[l];
    const there = right.steps[r];
    if (here && there) {
      if (here.text === there.text) {
        done.add(here.text);
        take(left.byStep.get(here.text), right.byStep.get(here.text));
        l++;
        r++;
        nextShared = shared.shift();
        continue;
      }
      if (right.byStep.has(here.text) && nextShared && nextShared.text !== here.text) {
        l++;
        continue;
      }
    }
    if (here) {
      if (!right.byStep.has(here.text)) {
        take(live[l], undefined);
        l++;
        continue;
      }
      if (done.has(here.text)) l++;
    }
    if (there) {
      done.add(there.text);
      take(left.byStep.get(there.text), right.byStep.get(there.text));
      r++;
      if (nextShared?.text === there.text) nextShared = shared.shift();
    }
  }
  return merged.length > 0 ? merged : undefined;
}
