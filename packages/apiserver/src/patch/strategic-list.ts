/** Merges lists in a strategic merge: by merge key, or as sets of scalars, in an order that the patch may specify. */

import { fieldOf, isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import { goType } from './go-text.ts';
import type { PatchField, PatchType } from './patch-type.ts';
import { directive, elementOrder, withoutDirectives } from './strategic-directives.ts';
import {
  badElementOrder,
  listOfLists,
  mergeDirectiveInList,
  mixedTypes,
  noElements,
  noMergeKey,
  noMergeKeyOfType,
  panicked,
  unknownDirective,
  wrongType,
} from './strategic-errors.ts';
import { checkOrder, inOrder, split } from './strategic-order.ts';

/** Elements are merged like objects. */
type MergeObjects = (original: JsonObject, patch: JsonObject, type: PatchType) => JsonObject;

/** `$setElementOrder/x`: merges list x, if both have it, and orders it; then removes it from the patch. */
export function orderLists(original: JsonObject, patch: JsonObject, type: PatchType, mergeObjects: MergeObjects): void {
  for (const [orderKey, order] of Object.entries(patch)) {
    if (!orderKey.startsWith(elementOrder)) continue;
    delete patch[orderKey];
    if (!Array.isArray(order)) throw wrongType('[]interface {}', order);
    if (!orderKey.startsWith(`${elementOrder}/`)) throw badElementOrder();
    const key = orderKey.slice(elementOrder.length + 1);
    const before = listAt(original, key);
    const patched = listAt(patch, key);
    const field = type.list(key);
    checkOrder(patched ?? [], order, field.mergeKey);
    const merged = mergedUnordered(before, patched, field, mergeObjects);
    if (!merged) continue;
    const kind = elementKind(before ?? [], patched ?? []);
    const { named, others } = split(merged, order, field.mergeKey);
    setField(original, key, inOrder(named, others, order, before ?? [], kind === 'object' ? field.mergeKey : ''));
    delete patch[key];
  }
}

function mergedUnordered(
  before: JsonValue[] | undefined,
  patched: JsonValue[] | undefined,
  field: PatchField,
  mergeObjects: MergeObjects,
): JsonValue[] | undefined {
  if (!before) return patched && (withoutDirectives(patched) as JsonValue[]);
  if (!patched) return before;
  return field.strategy === 'merge' ? mergeList(before, patched, field, false, mergeObjects) : patched;
}

function listAt(object: JsonObject, key: string): JsonValue[] | undefined {
  const value = fieldOf(object, key);
  if (value !== undefined && !Array.isArray(value)) throw wrongType('[]interface {}', value);
  return value;
}

export function mergeList(
  original: JsonValue[],
  patch: JsonValue[],
  field: PatchField,
  deletes: boolean,
  mergeObjects: MergeObjects,
): JsonValue[] {
  if (original.length === 0 && patch.length === 0) return original;
  if (elementKind(original, patch) !== 'object') {
    if (deletes) {
      const deleted = new Set(patch);
      return original.filter((one) => !deleted.has(one));
    }
    const { named, others } = split([...new Set([...original, ...patch])], patch, field.mergeKey);
    return inOrder(named, others, patch, original, '');
  }
  if (!field.mergeKey) throw noMergeKeyOfType(field.type.kind);
  return mergeByKey(original as JsonObject[], patch as JsonObject[], field, mergeObjects);
}

/** All elements must have the same type. */
function elementKind(...lists: JsonValue[][]): 'object' | 'scalar' {
  const [first, ...others] = lists.flat();
  if (first === undefined) throw noElements();
  if (first === null) throw panicked();
  if (Array.isArray(first)) throw listOfLists();
  if (others.some((one) => goType(one) !== goType(first))) throw mixedTypes(...lists);
  return isObject(first) ? 'object' : 'scalar';
}

function mergeByKey(
  before: JsonObject[],
  patched: JsonObject[],
  field: PatchField,
  mergeObjects: MergeObjects,
): JsonValue[] {
  const { mergeKey } = field;
  const { original, patch } = obeyDirectives(before, patched, mergeKey);
  const merged: JsonValue[] = [...original];
  const places = new Map<JsonValue, number>();
  const remember = (element: JsonObject, place: number) => {
    const key = fieldOf(element, mergeKey);
    if (key !== undefined && !places.has(key)) places.set(key, place);
  };
  original.forEach(remember);
  for (const element of patch) {
    const key = fieldOf(element, mergeKey);
    if (key === undefined) throw noMergeKey(element, mergeKey);
    const place = places.get(key);
    if (place !== undefined) merged[place] = mergeObjects(merged[place] as JsonObject, element, field.type);
    else remember(element, merged.push(element) - 1);
  }
  const { named, others } = split(merged, patch, mergeKey);
  return inOrder(named, others, patch, original, mergeKey);
}

/** Elements of the patch that are directives: `$patch: delete` with a key, or `$patch: replace` for the whole list. */
function obeyDirectives(before: JsonObject[], patched: JsonObject[], mergeKey: string) {
  const deleted = new Set<JsonValue | undefined>();
  let replaces = false;
  const patch: JsonObject[] = [];
  for (const element of patched) {
    const what = fieldOf(element, directive);
    if (what === undefined) patch.push(element);
    else if (what === 'delete') {
      const key = fieldOf(element, mergeKey);
      if (key === undefined) throw noMergeKey(element, mergeKey);
      deleted.add(key);
    } else if (what === 'replace') replaces = true;
    else if (what === 'merge') throw mergeDirectiveInList();
    else throw unknownDirective(what, element);
  }
  if (replaces) return { original: patch, patch: [] };
  return { original: before.filter((one) => !deleted.has(fieldOf(one, mergeKey))), patch };
}
