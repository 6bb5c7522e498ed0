/** The fields that a value sets: leaves, elements of lists, keys of untyped maps. */

import { isObject, type JsonValue } from '@fleet/kube/json-value.ts';
import type { ListType, MapType, TypeRef } from '../../schema/merge-type.ts';
import { FieldSet, Place } from '../fields/field-set.ts';
import { byName } from '../fields/path-element.ts';
import { checkedStep } from './list-element.ts';
import { resolved } from './validation.ts';

/** For a value that is valid for its type. */
export function fieldsOf(value: JsonValue, type: TypeRef): FieldSet {
  const set = new FieldSet();
  collect(new Place(set), value, type);
  return set;
}

function collect(place: Place, value: JsonValue, type: TypeRef): void {
  resolved<void>(type, value, {
    scalar: () => place.insert(),
    list: (list) => {
      if (list.atomic) place.insert();
      else if (Array.isArray(value)) collectElements(place, value, list);
    },
    map: (map) => {
      if (map.atomic) place.insert();
      else if (isObject(value)) collectFields(place, value, map);
    },
    none: (message) => {
      throw new TypeError(message);
    },
  });
}

function collectElements(place: Place, list: JsonValue[], type: ListType): void {
  const steps = list.map((element, index) => checkedStep(type, element, index));
  const counts = new Map<string, number>();
  for (const { text } of steps) counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const [index, step] of steps.entries()) {
    const here = place.at(step);
    // Repeated elements are owned as a whole, without their content.
    if (counts.get(step.text) === 1) collect(here, list[index]!, type.element);
    here.insert();
  }
}

function collectFields(place: Place, object: { [key: string]: JsonValue }, type: MapType): void {
  for (const [key, value] of Object.entries(object)) {
    const here = place.at(byName(key));
    const field = type.field(key);
    const fieldType = field?.type ?? type.element;
    if (!fieldType) throw new TypeError('schema error: invalid atom: inlined');
    collect(here, value, fieldType);
    const isBare = value === null || (isObject(value) && Object.keys(value).length === 0);
    if (isBare || !field) here.insert();
  }
}
