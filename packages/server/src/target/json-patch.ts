/** Reads JSON patches, in which the path of an operation is the path of its value. */

import { eachElement, type Span, skipSpace } from '@fleet/kube/json-bytes.ts';
import type { JsonPath, JsonString } from '@fleet/kube/json-walk.ts';
import { isEnvironment, ownTexts, type Place } from './body-places.ts';

type Operation = { op?: unknown; path?: unknown; value?: unknown } | null;

/** None if the body is not a list: the receiver reports that. */
function operationsIn(json: Buffer): Operation[] {
  const parsed: unknown = JSON.parse(json.toString());
  return Array.isArray(parsed) ? parsed : [];
}

/** Removes operations that only write values of a view. The other operations keep their bytes. */
export function withoutOperations(json: Buffer, isOurs: (place: Place, value: unknown) => boolean): Buffer {
  const dropped = operationsIn(json).map((operation) => {
    const place = pointedAt(operation?.path);
    return place !== undefined && operation?.value !== undefined && isOurs(place, operation.value);
  });
  if (!dropped.includes(true)) return json;
  const kept: Span[] = [];
  eachElement(json, skipSpace(json, 0), (start, index, end) => {
    if (!dropped[index]) kept.push({ start, end });
  });
  const pieces = kept.flatMap(({ start, end }, at) => [Buffer.from(at === 0 ? '[' : ','), json.subarray(start, end)]);
  return Buffer.concat([...(kept.length === 0 ? [Buffer.from('[')] : pieces), Buffer.from(']')]);
}

/** The path in the object of each string in a JSON patch. */
export function patchPlaces(json: Buffer): (string: JsonString) => Place | undefined {
  const pointers = operationsIn(json).map((operation) => pointedAt(operation?.path));
  return (string) => {
    const within = string.path();
    const [index, key] = within;
    const pointed = typeof index === 'number' && key === 'value' ? pointers[index] : undefined;
    if (!pointed) return undefined;
    const path = shortened([...pointed.path, ...shortened(within, 2)]);
    return { path, isOwnText: pointed.isOwnText || string.isMarked() || isEnvironment(path) };
  };
}

function pointedAt(pointer: unknown): Place | undefined {
  if (typeof pointer !== 'string') return undefined;
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { path: shortened(keys), isOwnText: keys.some((key) => ownTexts.has(key)) };
}

/** No rule uses more than three keys from either end, and each string of an operation's value needs its path. */
const shortened = (path: JsonPath, from = 0): JsonPath =>
  path.length - from <= 6 ? path.slice(from) : [...path.slice(from, from + 3), ...path.slice(-3)];
