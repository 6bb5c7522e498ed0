/** Removes fields from a value. */

import { isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import type { ListType, MapType, TypeRef } from '../../schema/merge-type.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { byName } from '../fields/path-element.ts';
import { checkedStep } from './list-element.ts';
import { resolved } from './validation.ts';

/** Null if nothing is left: as in Go, lists and maps that become empty, and atomic ones, are removed. */
export function removeFields(value: JsonValue, fields: FieldSet, type: TypeRef): JsonValue {
  return resolved<JsonValue>(type, value, {
    scalar: () => value,
    list: (list) => (Array.isArray(value) && !list.atomic ? fromList(value, fields, list) : null),
    map: (map) => (isObject(value) && !map.atomic ? fromMap(value, fields, map) : null),
    none: () => null,
  });
}

function fromList(list: JsonValue[], fields: FieldSet, type: ListType): JsonValue {
  const kept = list.flatMap((element, index) => {
    const step = checkedStep(type, element, index);
    if (fields.hasMember(step)) return [];
    const below = fields.below(step);
    return [below && !below.isEmpty ? removeFields(element, below, type.element) : element];
  });
  return kept.length > 0 ? kept : null;
}

function fromMap(object: JsonObject, fields: FieldSet, type: MapType): JsonValue {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const step = byName(key);
    if (fields.hasMember(step)) continue;
    const below = fields.below(step);
    const fieldType = type.field(key)?.type ?? type.element;
    const removes = below && !below.isEmpty && fieldType;
    setField(kept, key, removes ? removeFields(value, below, fieldType) : value);
  }
  return Object.keys(kept).length > 0 ? kept : null;
}
