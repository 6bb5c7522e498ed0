/** JSONPath as in printer columns: `.a.b`, `['a.b']`, `[0]`, `[*]`, `[?(@.type=="Ready")]`. */

import { fieldOf, isObject, type JsonValue } from '@fleet/kube/json-value.ts';

type Step = (value: JsonValue) => JsonValue[];

const named =
  (name: string): Step =>
  (value) => {
    const found = isObject(value) ? fieldOf(value, name) : undefined;
    return found === undefined ? [] : [found];
  };

const every: Step = (value) => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []);

const at =
  (index: number): Step =>
  (value) => {
    const found = Array.isArray(value) ? value.at(index) : undefined;
    return found === undefined ? [] : [found];
  };

const slice =
  (from: number | undefined, to: number | undefined): Step =>
  (value) =>
    Array.isArray(value) ? value.slice(from, to) : [];

const orders: { [sign: string]: (order: number) => boolean } = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** `@.a == "b"`, or only whether `@.a` exists. */
function filter(text: string): Step | undefined {
  const [, path = '', sign, literal = ''] =
    /^@((?:[^\s=!<>[]|\[[^\]]*\])*)\s*(?:(==|!=|<=|>=|<|>)(.+))?$/s.exec(text.trim()) ?? [];
  const find = jsonPath(path || '.');
  if (!find) return undefined;
  if (!sign) return (value) => every(value).filter((one) => find(one).length > 0);
  const expected = literalOf(literal.trim());
  return (value) =>
    every(value).filter((one) => {
      const [found] = find(one);
      return found !== undefined && orders[sign]!(order(found, expected));
    });
}

const literalOf = (text: string): JsonValue => {
  const [, quoted] = /^(?:"(.*)"|'(.*)')$/.exec(text)?.filter((one) => one !== undefined) ?? [];
  if (quoted !== undefined) return quoted;
  if (text === 'true' || text === 'false') return text === 'true';
  return Number.isNaN(Number(text)) ? text : Number(text);
};

function order(a: JsonValue, b: JsonValue): number {
  if (typeof a !== typeof b) return Number.NaN;
  if (a === b) return 0;
  return (a as string) < (b as string) ? -1 : 1;
}

const tokens =
  /\.\.|\.((?:\\.|[^.[\]\\])+)|\['((?:\\.|[^'\\])*)'\]|\["((?:\\.|[^"\\])*)"\]|\[(-?\d+)\]|\[\*\]|\[(-?\d*):(-?\d*)\]|\[\?\((.*?)\)\]|\./y;

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');
const bound = (text: string): number | undefined => (text === '' ? undefined : Number(text));

/** All values at a path; undefined for an invalid path. */
export function jsonPath(path: string): Step | undefined {
  const steps: Step[] = [];
  for (let next = 0; next < path.length; ) {
    // Set in each iteration, as a condition is a path of its own.
    tokens.lastIndex = next;
    const match = tokens.exec(path);
    if (!match) return undefined;
    next = tokens.lastIndex;
    const [whole, name, single, double, index, from, to, condition] = match;
    if (whole === '..') return undefined;
    if (name === '*' || whole === '[*]') steps.push(every);
    else if (name !== undefined) steps.push(named(unescaped(name)));
    else if (single !== undefined || double !== undefined) {
      // A dot is a separator even within quotes, unless escaped.
      for (const part of (single ?? double)!.split(/(?<!\\)\./)) steps.push(named(unescaped(part)));
    } else if (index !== undefined) steps.push(at(Number(index)));
    else if (from !== undefined && to !== undefined) steps.push(slice(bound(from), bound(to)));
    else if (condition !== undefined) {
      const made = filter(condition);
      if (!made) return undefined;
      steps.push(made);
    }
  }
  return (value) => steps.reduce<JsonValue[]>((values, step) => values.flatMap(step), [value]);
}

/** Only field names, as in scales and selectable fields. */
export const plainPath = (path: string): string[] => path.replace(/^\./, '').split('.');
