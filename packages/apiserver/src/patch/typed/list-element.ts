/** The identity of a list's element: its index, its keys, or its value. */

import { fieldOf, isObject, type JsonValue } from '@fleet/kube/json-value.ts';
import type { ListType } from '../../schema/merge-type.ts';
import { byIndex, byKey, byValue, type PathElement } from '../fields/path-element.ts';

export interface Unidentified {
  problem: string;
}

export function elementStep(type: ListType, element: JsonValue, index: number): PathElement | Unidentified {
  if (type.atomic) return byIndex(index);
  return type.keys.length > 0 ? keyed(type, element) : ofSet(element);
}

function keyed(type: ListType, element: JsonValue): PathElement | Unidentified {
  if (element === null) return { problem: 'associative list with keys may not have a null element' };
  if (!isObject(element)) return { problem: 'associative list with keys may not have non-map elements' };
  const map = type.element.resolve()?.map;
  const key: [string, JsonValue][] = [];
  for (const name of type.keys) {
    const value = fieldOf(element, name);
    if (value === undefined && !map) {
      return { problem: `couldn't find default value for ${name}: associative list may not have non-map types` };
    }
    // A key that is absent and has no default is not part of the identity.
    const known = value ?? (value === undefined ? map?.field(name)?.default : null);
    if (known !== undefined) key.push([name, known]);
  }
  if (key.length > 0) return byKey(key);
  const names = type.keys.map((name) => JSON.stringify(name)).join(' ');
  return {
    problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  };
}

function ofSet(element: JsonValue): PathElement | Unidentified {
  if (element === null) return { problem: "associative list without keys has an element that's an explicit null" };
  if (Array.isArray(element)) return { problem: 'not supported: associative list with lists as elements' };
  if (isObject(element)) return { problem: "associative list without keys has an element that's a map type" };
  return byValue(element);
}

/** For a value that was validated before. */
export function checkedStep(type: ListType, element: JsonValue, index: number): PathElement {
  const step = elementStep(type, element, index);
  if ('problem' in step) throw new TypeError(step.problem);
  return step;
}
