/** A common mistake: a valid object of a kind, and what is wrong with it. */

import type { Json, JsonObject, RuleRequest } from './rule-request.ts';

/** Values by the path where they are put (`spec/containers/0/image`, `~1` for a slash); undefined takes away. */
export type Changes = Record<string, Json | undefined>;

export interface KindMistakes {
  /** Valid, without a name. */
  base: JsonObject;
  create: Record<string, Changes>;
  /** The changes of a valid object; with two of them, the first says in what the stored object is not the base. */
  update?: Record<string, Changes | readonly [Changes, Changes]>;
  /** The same of the status. */
  status?: Record<string, Changes | readonly [Changes, Changes]>;
}

export interface Mistake {
  /** Such as `Pod: create: no containers`. */
  name: string;
  request: RuleRequest;
}

/** `prefix`: of the names of all objects, of which no two are the same. */
export function mistakesOf(kinds: readonly KindMistakes[], prefix: string): Mistake[] {
  let number = 0;
  return kinds.flatMap(({ base, create, update = {}, status = {} }) => {
    const named = (changes: Changes) => changed({ ...base, metadata: { name: `${prefix}-${number}` } }, changes);
    const changing = (op: 'update' | 'updateStatus', changes: Changes | readonly [Changes, Changes]) => {
      number++;
      const [before, after] = isPair(changes) ? changes : [{}, changes];
      return { op, old: named(before), object: named({ ...before, ...after }) };
    };
    const creating = (changes: Changes) => {
      number++;
      return { op: 'create' as const, object: named(changes) };
    };
    const all = <Given>(op: string, given: Record<string, Given>, make: (changes: Given) => RuleRequest): Mistake[] =>
      Object.entries(given).map(([name, changes]) => ({
        name: `${base['apiVersion']} ${base['kind']}: ${op}: ${name}`,
        request: make(changes),
      }));
    return [
      ...all('create', create, creating),
      ...all('update', update, (changes) => changing('update', changes)),
      ...all('status', status, (changes) => changing('updateStatus', changes)),
    ];
  });
}

const isPair = (changes: Changes | readonly [Changes, Changes]): changes is readonly [Changes, Changes] =>
  Array.isArray(changes);

function changed(object: JsonObject, changes: Changes): JsonObject {
  const copy = structuredClone(object);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('/').map((key) => key.replaceAll('~1', '/'));
    const last = keys.pop()!;
    let at: JsonObject = copy;
    for (const key of keys) {
      at[key] ??= {};
      at = at[key] as JsonObject;
    }
    if (value !== undefined) at[last] = structuredClone(value);
    else if (Array.isArray(at)) at.splice(Number(last), 1);
    else delete at[last];
  }
  return copy;
}
