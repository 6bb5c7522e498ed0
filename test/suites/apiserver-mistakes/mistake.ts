/** A common mistake: a valid object of a kind, and what is wrong with it. */

import { createHash } from 'node:crypto';
import type { Json, JsonObject, RuleRequest } from './rule-request.ts';

/** Values by the path where they are put (`spec/containers/0/image`, `~1` for a slash); undefined takes away. */
export type Changes = Record<string, Json | undefined>;

export interface KindMistakes {
  /** Valid, without a name. */
  base: JsonObject;
  create: Record<string, Changes>;
  /** The changes of a valid object; with two of them, the first is the difference of the stored object from the base. */
  update?: Record<string, Changes | readonly [Changes, Changes]>;
  /** The same of the status. */
  status?: Record<string, Changes | readonly [Changes, Changes]>;
}

export interface Mistake {
  /** Such as `Pod: create: no containers`. */
  name: string;
  request: RuleRequest;
}

export const mistakesOf = (kinds: readonly KindMistakes[]): Mistake[] =>
  kinds.flatMap(({ base, create, update = {}, status = {} }) => [
    ...named(base, 'create', create, (object, changes) => ({ object: changed(object, changes) })),
    ...named(base, 'update', update, changing),
    ...named(base, 'status', status, changing),
  ]);

function named<Given>(
  base: JsonObject,
  what: 'create' | 'update' | 'status',
  given: Record<string, Given>,
  make: (object: JsonObject, changes: Given) => RuleRequest,
): Mistake[] {
  const op = what === 'status' ? 'updateStatus' : what;
  return Object.entries(given).map(([text, changes]) => {
    const name = `${base['apiVersion']} ${base['kind']}: ${what}: ${text}`;
    // no two of one name, and none that changes when others come
    const own = `m-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
    const object = { ...base, metadata: { ...(base['metadata'] as JsonObject), name: own } };
    return { name, request: { op, ...make(object, changes) } };
  });
}

function changing(object: JsonObject, changes: Changes | readonly [Changes, Changes]): RuleRequest {
  const [before, after] = isPair(changes) ? changes : [{}, changes];
  return { old: changed(object, before), object: changed(object, { ...before, ...after }) };
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
