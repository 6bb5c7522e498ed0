/** The library of regular expressions. */

import { type Expression, expressionOf, stepsPerUnit } from '../../regular-expressions/expression.ts';
import type { Library } from '../environment.ts';
import type { Meter } from '../meter.ts';
import * as types from '../types.ts';
import { EvaluationError, PlainList, type Value } from '../values.ts';
import { asInt, asText, declare, free, member } from './declare.ts';

const { bool, int, list, string } = types;

function compiled(text: string, source: Value | undefined, meter: Meter, wrong: (why: string) => string): Expression {
  try {
    const expression = expressionOf(asText(source));
    meter.work(5 + (text.length * expression.stepsPerSign) / stepsPerUnit);
    return expression;
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'RE2JSSyntaxException') throw cause;
    throw new EvaluationError(wrong(cause.message), { cause });
  }
}

function matches([text, source]: readonly Value[], meter: Meter): Value {
  return compiled(asText(text), source, meter, (why) => why).test(asText(text));
}

const illegal = (why: string): string => `Illegal regex: ${why}`;

function findAll([text, source, count]: readonly Value[], meter: Meter): Value {
  const most = count === undefined || asInt(count) < 0n ? Number.POSITIVE_INFINITY : Number(count);
  return new PlainList(compiled(asText(text), source, meter, illegal).findAll(asText(text), most));
}

function find([text, source]: readonly Value[], meter: Meter): Value {
  return compiled(asText(text), source, meter, illegal).findAll(asText(text), 1)[0] ?? '';
}

export const regularExpressions: Library = {
  matches: declare(
    [free('matches', [string, string], bool), member('matches_string', [string, string], bool)],
    matches,
  ),
  find: declare([member('string_find_string', [string, string], string)], find),
  findAll: declare(
    [
      member('string_find_all_string', [string, string], list(string)),
      member('string_find_all_string_int', [string, string, int], list(string)),
    ],
    findAll,
  ),
};
