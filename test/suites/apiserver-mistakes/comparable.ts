/** What differs between any two servers: uids, the time, and Go's own structs. */

const uid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Those that requests carry are years ago. */
const recent = /202[6-9]-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
/** `Invalid value: {"Volumes":null,…}: field is immutable`: a struct of Go with its fields' names in Go, or ours with JSON's. */
const struct = /Invalid value: \{.{200,}\}: /g;
/** In what two structs of Go differ, line by line, at the end of a message or before the next one. */
const structDiff = /@@ -\d+,\d+ \+\d+,\d+ @@\n(?:[ +-].*\n?)*/g;

export function comparable<Value>(value: Value): Value {
  if (typeof value === 'string') return plain(value) as Value;
  if (Array.isArray(value)) return value.map(comparable) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner)])) as Value;
}

const plain = (text: string): string =>
  text
    .replace(uid, '‹uid›')
    .replace(recent, '‹time›')
    .replace(struct, 'Invalid value: ‹struct›: ')
    .replace(structDiff, '');
