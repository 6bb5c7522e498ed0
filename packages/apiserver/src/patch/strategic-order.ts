/** Orders a merged list: as in the patch; elements that the patch does not name keep their position as far as possible. */

import { fieldOf, isObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { directive, isDirective } from './strategic-directives.ts';
import { noMergeKey, notAMap, otherOrder, wrongType } from './strategic-errors.ts';

/** The identity of an element: the element itself, if there is no merge key. */
const identity = (element: JsonValue, mergeKey: string): JsonValue | undefined => {
  if (!mergeKey) return element;
  return isObject(element) ? fieldOf(element, mergeKey) : undefined;
};

/** Splits elements into those that the list names, and the others, which only the server has. */
export function split(elements: readonly JsonValue[], names: readonly JsonValue[], mergeKey: string) {
  const named: JsonValue[] = [];
  const others: JsonValue[] = [];
  const known = new Set<JsonValue | undefined>();
  // As in Go's loop over the names: one that is not an object is an error only if it is reached.
  const broken = mergeKey ? names.findIndex((one) => !isObject(one)) : -1;
  for (const one of broken < 0 ? names : names.slice(0, broken)) known.add(identity(one, mergeKey));
  for (const element of elements) {
    if (mergeKey) requireKey(element, mergeKey);
    const isKnown = known.has(identity(element, mergeKey));
    if (!isKnown && broken >= 0) throw notAMap(broken);
    (isKnown ? named : others).push(element);
  }
  return { named, others };
}

function requireKey(element: JsonValue, mergeKey: string): JsonValue {
  if (!isObject(element)) throw wrongType('map[string]interface {}', element);
  const key = fieldOf(element, mergeKey);
  if (key === undefined) throw noMergeKey(element, mergeKey);
  return key;
}

type Places = Map<JsonValue | undefined, number>;

function placesIn(order: readonly JsonValue[], mergeKey: string): Places {
  const places: Places = new Map();
  order.forEach((one, index) => {
    const key = identity(one, mergeKey);
    if (!places.has(key)) places.set(key, index);
  });
  return places;
}

/** `named` in the order of the patch, with each of `others` before the first element that follows it in the live list. */
export function inOrder(
  named: JsonValue[],
  others: JsonValue[],
  patchOrder: readonly JsonValue[],
  liveOrder: readonly JsonValue[],
  mergeKey: string,
): JsonValue[] {
  if (mergeKey) for (const one of [...named, ...patchOrder, ...others, ...liveOrder]) requireKey(one, mergeKey);
  const live = placesIn(liveOrder, mergeKey);
  const place = (element: JsonValue) => live.get(identity(element, mergeKey));
  const left = sorted(others, live, mergeKey);
  const right = sorted(named, placesIn(patchOrder, mergeKey), mergeKey);
  const merged: JsonValue[] = [];
  let next = 0;
  for (const element of right) {
    const limit = place(element);
    while (next < left.length && isBefore(place(left[next]!), limit)) merged.push(left[next++]!);
    merged.push(element);
  }
  return [...merged, ...left.slice(next)];
}

const isBefore = (left: number | undefined, right: number | undefined): boolean =>
  left !== undefined && right !== undefined && left < right;

interface Placed {
  element: JsonValue;
  place: number | undefined;
}

function sorted(elements: JsonValue[], places: Places, mergeKey: string): JsonValue[] {
  const placed = elements.map((element) => ({ element, place: places.get(identity(element, mergeKey)) }));
  const strays = placed.length <= 20 && placed.some(({ place }) => place === undefined);
  if (strays) sortAsGo(placed);
  else placed.sort((left, right) => (left.place ?? -1) - (right.place ?? -1));
  return placed.map(({ element }) => element);
}

/** Elements without a position compare as less than all others, which is not transitive, so the result depends on Go's sort algorithm. */
function sortAsGo(placed: Placed[]): void {
  for (let end = 1; end < placed.length; end++) {
    for (let at = end; at > 0; at--) {
      const [before, here] = [placed[at - 1]!, placed[at]!];
      const isLess = before.place === undefined || here.place === undefined || here.place < before.place;
      if (!isLess) break;
      [placed[at - 1], placed[at]] = [here, before];
    }
  }
}

/** The patch's elements must be in the specified order, which must contain all of them. */
export function checkOrder(patch: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const elements = mergeKey ? patch.filter((one) => !deletes(one)) : patch;
  let at = 0;
  let next = 0;
  while (at < elements.length && next < order.length) {
    if (isDirective(elements[at]!)) at++;
    else if (sameKey(elements[at]!, order[next++]!, mergeKey)) at++;
  }
  if (at < elements.length) throw otherOrder([...patch], [...order]);
}

function deletes(element: JsonValue): boolean {
  if (!isObject(element)) throw wrongType('map[string]interface {}', element);
  return fieldOf(element, directive) === 'delete';
}

const sameKey = (left: JsonValue, right: JsonValue, mergeKey: string): boolean =>
  mergeKey ? requireKey(left, mergeKey) === requireKey(right, mergeKey) : left === right;
