/** Turns a checked expression into a function of its variables. Every step has a cost. */

import { type Expr, type Fold, isBinding } from './ast.ts';
import type { Checked } from './checked.ts';
import { costOf, costsByResult } from './cost/call-cost.ts';
import { listCreation, mapCreation } from './cost/factors.ts';
import type { Environment } from './environment.ts';
import { type Frame, read } from './frame.ts';
import { shownKey } from './library/operators.ts';
import type { Meter } from './meter.ts';
import { namedType } from './named-types.ts';
import {
  EvaluationError,
  equal,
  ListValue,
  MapValue,
  noSuchOverload,
  Optional,
  PlainList,
  PlainMap,
  TypeValue,
  type Value,
} from './values.ts';

type Step = (frame: Frame | undefined, meter: Meter) => Value;

export type Program = (variables: ReadonlyMap<string, Value>, meter: Meter) => Value;

export function plan(checked: Checked, environment: Environment): Program {
  const step = new Planner(checked, environment).plan(checked.expr);
  return (variables, meter) => {
    let frame: Frame | undefined;
    for (const [name, value] of variables) frame = { name, value, error: undefined, next: frame };
    return step(frame, meter);
  };
}

class Planner {
  readonly #checked: Checked;
  readonly #environment: Environment;

  constructor(checked: Checked, environment: Environment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  plan(expr: Expr): Step {
    switch (expr.kind) {
      case 'literal': {
        const { value } = expr;
        return () => value;
      }
      case 'ident':
        return this.#ident(expr.name.replace(/^\./, ''));
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        throw new TypeError('structs are refused when they are checked');
      case 'fold':
        return isBinding(expr) ? this.#binding(expr) : this.#fold(expr);
    }
  }

  #ident(name: string): Step {
    const type = namedType(name);
    return (frame, meter) => {
      meter.add(1);
      for (let at = frame; at; at = at.next) if (at.name === name) return read(at, name);
      if (type) return new TypeValue(type);
      return read(frame, name);
    };
  }

  #select({ operand, field, test }: Expr & { kind: 'select' }): Step {
    const inner = this.plan(operand);
    if (test) return (frame, meter) => isThere(inner(frame, meter), field);
    return (frame, meter) => {
      const target = inner(frame, meter);
      meter.add(1);
      return selected(target, field);
    };
  }

  #call(expr: Expr & { kind: 'call' }): Step {
    const steps = [...(expr.target ? [expr.target] : []), ...expr.args].map((one) => this.plan(one));
    const special = Object.hasOwn(specials, expr.name) ? specials[expr.name] : undefined;
    if (special) return special(steps);
    const { call } = this.#environment.functions.get(expr.name)!;
    const overloads = this.#checked.overloadsOf(expr);
    const cost = costOf(expr.name, overloads.length === 1 ? overloads[0]! : '');
    const isPaid = !(expr.name === '@in' && expr.args[1]!.kind === 'list' && isConstant(expr.args[1]!));
    const overload = overloads.length === 1 ? overloads[0]! : '';
    const isOfResult = costsByResult(expr.name);
    return (frame, meter) => {
      const args = steps.map((step) => step(frame, meter));
      // An expensive call is not started if its cost exceeds the limit.
      if (isPaid && !isOfResult) meter.add(cost(args, null, overload));
      const result = call(args, meter);
      if (isOfResult) meter.add(cost(args, result, overload));
      return result;
    };
  }

  #list(expr: Expr & { kind: 'list' }): Step {
    const steps = expr.elements.map((one) => this.plan(one));
    const price = isConstant(expr) ? 0 : listCreation;
    return (frame, meter) => {
      const elements: Value[] = [];
      for (const [index, step] of steps.entries()) {
        const value = step(frame, meter);
        if (!expr.optional[index]) elements.push(value);
        else if (!(value instanceof Optional)) throw noSuchOverload();
        else if (value.value !== undefined) elements.push(value.value);
      }
      meter.add(price);
      return new PlainList(elements);
    };
  }

  #map(expr: Expr & { kind: 'map' }): Step {
    const steps = expr.entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }));
    const price = isConstant(expr) ? 0 : mapCreation;
    return (frame, meter) => {
      const entries: [Value, Value][] = [];
      for (const { key, value, optional } of steps) {
        const [name, made] = [key(frame, meter), value(frame, meter)];
        if (!optional) entries.push([name, made]);
        else if (!(made instanceof Optional)) throw noSuchOverload();
        else if (made.value !== undefined) entries.push([name, made.value]);
      }
      meter.add(price);
      return new PlainMap(entries);
    };
  }

  #binding(fold: Expr & Fold): Step {
    const [init, result] = [this.plan(fold.init), this.plan(fold.result)];
    const name = fold.accumulator;
    return (frame, meter) => {
      meter.add(listCreation);
      return result({ name, value: init(frame, meter), error: undefined, next: frame }, meter);
    };
  }

  #fold(fold: Expr & Fold): Step {
    const [range, init, condition, step, result] = [fold.range, fold.init, fold.condition, fold.step, fold.result].map(
      (one) => this.plan(one),
    ) as [Step, Step, Step, Step, Step];
    const { accumulator, variable, variable2 } = fold;
    return (frame, meter) => {
      const over = range(frame, meter);
      const total: Frame = { name: accumulator, value: init(frame, meter), error: undefined, next: frame };
      const { count, key, value } = turns(over);
      for (let turn = 0; turn < count; turn++) {
        const first = variable2 === undefined && over instanceof ListValue ? value(turn) : key(turn);
        let inner: Frame = { name: variable, value: first, error: undefined, next: total };
        if (variable2 !== undefined) inner = { name: variable2, value: value(turn), error: undefined, next: inner };
        if (condition(inner, meter) !== true) break;
        settle(total, step, inner, meter);
      }
      return result(total, meter);
    };
  }
}

/** An error in one iteration may be absorbed by another one: it is stored instead of the value. */
function settle(total: Frame, step: Step, inner: Frame, meter: Meter): void {
  try {
    total.value = step(inner, meter);
    total.error = undefined;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    total.error = error;
  }
}

interface Turns {
  count: number;
  key(turn: number): Value;
  value(turn: number): Value;
}

function turns(over: Value): Turns {
  if (over instanceof ListValue) return { count: over.size, key: BigInt, value: (turn) => over.at(turn) };
  if (!(over instanceof MapValue)) throw noSuchOverload();
  const keys = over.keys();
  return { count: keys.length, key: (turn) => keys[turn]!, value: (turn) => over.find(keys[turn]!)! };
}

function selected(target: Value, field: string): Value {
  if (target instanceof Optional) {
    return new Optional(target.value instanceof MapValue ? target.value.find(field) : undefined);
  }
  if (!(target instanceof MapValue)) throw noSuchOverload();
  const found = target.find(field);
  if (found === undefined) throw new EvaluationError(`no such key: ${shownKey(field)}`);
  return found;
}

function isThere(target: Value, field: string): boolean {
  const inner = target instanceof Optional ? target.value : target;
  if (inner === undefined) return false;
  if (!(inner instanceof MapValue)) throw noSuchOverload();
  return inner.find(field) !== undefined;
}

const isConstant = (expr: Expr): boolean => {
  if (expr.kind === 'list') return expr.elements.every(isConstant);
  if (expr.kind === 'map') return expr.entries.every(({ key, value }) => isConstant(key) && isConstant(value));
  return expr.kind === 'literal';
};

/** `a && b` is false if either is, even if the other fails; `a || b` likewise. */
const logical =
  (decisive: boolean) =>
  ([left, right]: readonly Step[]): Step =>
  (frame, meter) => {
    const first = attempt(() => left!(frame, meter));
    if (first === decisive) return decisive;
    const second = attempt(() => right!(frame, meter));
    if (second === decisive) return decisive;
    for (const one of [first, second]) {
      if (one instanceof EvaluationError) throw one;
      if (typeof one !== 'boolean') throw noSuchOverload();
    }
    return !decisive;
  };

function attempt(make: () => Value): Value | EvaluationError {
  try {
    return make();
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

const specials: { [name: string]: (steps: readonly Step[]) => Step } = {
  '_&&_': logical(false),
  '_||_': logical(true),
  '_?_:_':
    ([condition, then, otherwise]) =>
    (frame, meter) => {
      const holds = condition!(frame, meter);
      if (typeof holds !== 'boolean') throw noSuchOverload();
      return (holds ? then! : otherwise!)(frame, meter);
    },
  '@not_strictly_false':
    ([step]) =>
    (frame, meter) => {
      const value = attempt(() => step!(frame, meter));
      meter.add(1);
      return value instanceof EvaluationError || !equal(value, false);
    },
  '_?._':
    ([operand, field]) =>
    (frame, meter) => {
      const target = operand!(frame, meter);
      meter.add(1);
      const inner = target instanceof Optional ? target.value : target;
      if (inner === undefined) return new Optional(undefined);
      if (!(inner instanceof MapValue)) throw noSuchOverload();
      return new Optional(inner.find(field!(frame, meter)));
    },
  or:
    ([first, second]) =>
    (frame, meter) => {
      const value = first!(frame, meter);
      if (!(value instanceof Optional)) throw noSuchOverload();
      return value.value === undefined ? second!(frame, meter) : value;
    },
  orValue:
    ([first, second]) =>
    (frame, meter) => {
      const value = first!(frame, meter);
      if (!(value instanceof Optional)) throw noSuchOverload();
      return value.value ?? second!(frame, meter);
    },
};
