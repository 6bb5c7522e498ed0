/** Strategic merge patch: a merge patch that uses the type, so that lists merge by their keys. */

import { copyJson, fieldOf, isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import { goType } from './go-text.ts';
import { type PatchType, PatchTypeError } from './patch-type.ts';
import {
  deleteList,
  directive,
  elementOrder,
  retainKeys,
  setOrDrop,
  withoutDirectives,
} from './strategic-directives.ts';
import { badPrimitiveList, badRetainKeys, unforeseenType, unknownDirective } from './strategic-errors.ts';
import { mergeList, orderLists } from './strategic-list.ts';
import { withoutNulls } from './without-nulls.ts';

/**
 * The patched object; neither argument is changed. As in kube-apiserver, directives that remain in new elements are not
 * removed here: decoding drops fields that the type does not have.
 */
export function strategicMergePatch(object: JsonObject, patch: JsonObject, type: PatchType): JsonObject {
  try {
    return mergeObject(copyJson(object), copyJson(patch), type);
  } catch (error) {
    throw error instanceof PatchTypeError ? unforeseenType(error) : error;
  }
}

/** Changes both arguments. */
function mergeObject(original: JsonObject, patch: JsonObject, type: PatchType): JsonObject {
  if (Object.hasOwn(patch, directive)) return directed(patch);
  keepRetained(original, patch);
  orderLists(original, patch, type, mergeObject);
  for (const [key, value] of Object.entries(patch)) mergeField(original, key, value, type);
  return original;
}

function directed(patch: JsonObject): JsonObject {
  const { [directive]: what, ...rest } = patch;
  if (what === 'replace') return rest;
  if (what === 'delete') return {};
  throw unknownDirective(what!, patch);
}

/** `$retainKeys`: fields that it does not name are removed, and the patch must not set any others. */
function keepRetained(original: JsonObject, patch: JsonObject): void {
  const kept = fieldOf(patch, retainKeys);
  if (kept === undefined) return;
  delete patch[retainKeys];
  if (!Array.isArray(kept)) throw badRetainKeys();
  const names = new Set(kept);
  for (const [key, value] of Object.entries(patch)) {
    const isDirective = key.startsWith(deleteList) || key.startsWith(elementOrder);
    if (value !== null && !isDirective && !names.has(key)) throw badRetainKeys();
  }
  for (const key of Object.keys(original)) if (!names.has(key)) delete original[key];
}

function mergeField(original: JsonObject, patchKey: string, value: JsonValue, type: PatchType): void {
  const deletes = patchKey.startsWith(deleteList);
  const key = deletes ? fieldAfter(deleteList, patchKey) : patchKey;
  if (value === null) {
    delete original[key];
    return;
  }
  const before = fieldOf(original, key);
  if (before === undefined || goType(before) !== goType(value)) {
    if (!deletes) setOrDrop(original, key, withoutDirectives(withoutNulls(value)));
    return;
  }
  if (isObject(before) && isObject(value)) {
    const field = type.object(key);
    setField(original, key, field.strategy === 'replace' ? value : mergeObject(before, value, field.type));
  } else if (Array.isArray(before) && Array.isArray(value)) {
    const field = type.list(key);
    const merges = field.strategy === 'merge' || deletes;
    setField(original, key, merges ? mergeList(before, value, field, deletes, mergeObject) : value);
  } else setField(original, key, value);
}

function fieldAfter(prefix: string, key: string): string {
  if (!key.startsWith(`${prefix}/`)) throw badPrimitiveList();
  return key.slice(prefix.length + 1);
}
