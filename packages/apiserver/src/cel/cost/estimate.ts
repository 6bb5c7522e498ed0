/** Estimates the maximum cost of an expression before it is evaluated (`checker.Cost` of cel-go). */

import { accumulatorName, type Expr, type Fold, isBinding } from '../ast.ts';
import type { Checked } from '../checked.ts';
import type { Type } from '../types.ts';
import { codePoints } from '../values.ts';
import { around, type Bounds, empty, exactly, plus, times, total, unknown } from './bounds.ts';
import { type CallEstimate, estimateCall } from './estimate-call.ts';
import { listCreation, mapCreation, structCreation } from './factors.ts';

/** The size of the value at a path of fields, `@items`, `@keys` and `@values`; undefined if unknown. */
export type SizeAt = (path: readonly string[]) => Bounds | undefined;

/** A part of an expression in an estimate. */
export interface Estimated {
  expr: Expr | undefined;
  type: Type;
  path: readonly string[];
  size: Bounds | undefined;
}

/** The size of the elements of a list or map. */
interface EntrySize {
  container: 'list' | 'map';
  key: Bounds;
  value: Bounds;
}

interface Local {
  path: readonly string[];
  size: Bounds | undefined;
  entry: EntrySize | undefined;
}

export const estimateCost = (checked: Checked, sizeAt: SizeAt): Bounds =>
  new Estimator(checked, sizeAt).cost(checked.expr);

class Estimator {
  readonly #checked: Checked;
  readonly #sizeAt: SizeAt;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Bounds>();
  readonly #entries = new Map<number, EntrySize>();
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: Checked, sizeAt: SizeAt) {
    this.#checked = checked;
    this.#sizeAt = sizeAt;
  }

  cost(expr: Expr): Bounds {
    switch (expr.kind) {
      case 'literal':
        return exactly(0);
      case 'ident':
        this.#paths.set(expr.id, this.#local(expr.name)?.path ?? [expr.name]);
        return exactly(1);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return plus(total(expr.fields.map(({ value }) => this.cost(value))), exactly(structCreation));
      case 'fold':
        return isBinding(expr) ? this.#binding(expr) : this.#fold(expr);
    }
  }

  #select(expr: Expr & { kind: 'select' }): Bounds {
    const operand = this.cost(expr.operand);
    if (expr.test) return operand;
    this.#paths.set(expr.id, [...this.#path(expr.operand), expr.field]);
    const { kind } = this.#checked.typeOf(expr.operand);
    return kind === 'map' || kind === 'struct' || kind === 'param' ? plus(operand, exactly(1)) : operand;
  }

  #call(expr: Expr & { kind: 'call' }): Bounds {
    const { name, target, args } = expr;
    if (name === 'dyn') {
      const cost = this.cost(args[0]!);
      this.#copySizes(expr, args[0]!);
      return plus(exactly(1), cost);
    }
    const costs = args.map((one) => this.cost(one));
    const nodes = args.map((one) => this.#node(one));
    const overloads = this.#checked.overloadsOf(expr);
    if (overloads.length === 0) return exactly(0);
    const targetCost = target ? this.cost(target) : exactly(0);
    const targetNode = target && this.#node(target);
    let cost = empty;
    let size: Bounds | undefined;
    for (const overload of overloads) {
      const made = this.#function(expr, overload, targetNode, nodes, costs);
      cost = around(cost, made.cost);
      if (made.size) size = size ? around(size, made.size) : made.size;
      if (overload === 'index_list' || overload === 'index_map') {
        size = this.#entry(args[0]!)?.value;
        this.#paths.set(expr.id, [...this.#path(args[0]!), overload === 'index_list' ? '@items' : '@values']);
      }
      size ??= this.#size(expr);
    }
    if (size) this.#sizes.set(expr.id, size);
    return plus(targetCost, cost);
  }

  #function(
    expr: Expr & { kind: 'call' },
    overload: string,
    target: Estimated | undefined,
    args: readonly Estimated[],
    costs: readonly Bounds[],
  ): CallEstimate {
    switch (overload) {
      case 'logical_and':
      case 'logical_or':
        return { cost: { min: costs[0]!.min, max: plus(costs[0]!, costs[1]!).max } };
      case 'conditional': {
        const [, then, otherwise] = expr.args as [Expr, Expr, Expr];
        this.#joinEntries(expr, then, otherwise);
        const size = around(this.#sizeOrUnknown(then), this.#sizeOrUnknown(otherwise));
        return { cost: plus(costs[0]!, around(costs[1]!, costs[2]!)), size };
      }
      case 'add_string':
      case 'add_bytes':
      case 'add_list':
        this.#joinEntries(expr, expr.args[0]!, expr.args[1]!);
        break;
    }
    const sizeOf = ({ size, path }: Estimated): Bounds | undefined =>
      size ?? (path.length > 0 ? this.#sizeAt(path) : undefined);
    const { cost, size } = estimateCall(expr.name, overload, target, args, sizeOf);
    return { cost: plus(cost, total(costs)), size };
  }

  #joinEntries(expr: Expr, a: Expr, b: Expr): void {
    const [left, right] = [this.#entry(a), this.#entry(b)];
    if (!left || !right) return;
    this.#entries.set(expr.id, { ...left, key: around(left.key, right.key), value: around(left.value, right.value) });
  }

  #list(expr: Expr & { kind: 'list' }): Bounds {
    const cost = total(expr.elements.map((one) => this.cost(one)));
    const sizes = expr.elements.map((one) => this.#sizeOrUnknown(one));
    const value = sizes.reduce(around, sizes.length === 0 ? exactly(0) : empty);
    this.#entries.set(expr.id, { container: 'list', key: exactly(1), value });
    return plus(cost, exactly(listCreation));
  }

  #map(expr: Expr & { kind: 'map' }): Bounds {
    const cost = total(expr.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]));
    const start = expr.entries.length === 0 ? exactly(0) : empty;
    const key = expr.entries.map((entry) => this.#sizeOrUnknown(entry.key)).reduce(around, start);
    const value = expr.entries.map((entry) => this.#sizeOrUnknown(entry.value)).reduce(around, start);
    this.#entries.set(expr.id, { container: 'map', key, value });
    return plus(cost, exactly(mapCreation));
  }

  #binding(fold: Expr & Fold): Bounds {
    const cost = plus(this.cost(fold.range), this.cost(fold.init));
    this.#push(fold.accumulator, {
      path: this.#path(fold.init),
      size: this.#size(fold.init),
      entry: this.#entry(fold.init),
    });
    const result = this.cost(fold.result);
    this.#pop(fold.accumulator);
    this.#copySizes(fold, fold.result);
    return plus(cost, result);
  }

  #fold(fold: Expr & Fold): Bounds {
    const { range, init, accumulator, variable, variable2 } = fold;
    const before = plus(this.cost(range), this.cost(init));
    this.#push(accumulator, { path: this.#path(init), size: this.#size(init), entry: this.#entry(init) });
    const entry = this.#entry(range);
    const isList = (entry?.container ?? this.#checked.typeOf(range).kind) === 'list';
    const keys = { path: [...this.#path(range), isList ? '@indices' : '@keys'], size: entry?.key, entry: undefined };
    const values = {
      path: [...this.#path(range), isList ? '@items' : '@values'],
      size: entry?.value,
      entry: undefined,
    };
    this.#push(variable, variable2 === undefined && isList ? values : keys);
    if (variable2 !== undefined) this.#push(variable2, values);
    const turn = plus(this.cost(fold.condition), this.cost(fold.step));
    this.#pop(variable);
    if (variable2 !== undefined) this.#pop(variable2);
    const result = this.cost(fold.result);
    this.#pop(accumulator);
    const count = this.#sizeOrUnknown(range);
    this.#keepResultSize(fold, count);
    return plus(plus(before, result), times(count, turn));
  }

  #keepResultSize(fold: Expr & Fold, count: Bounds): void {
    if (fold.init.kind === 'literal') {
      const size = this.#size(fold.init);
      if (size) this.#sizes.set(fold.id, size);
    } else if (fold.init.kind === 'list' || fold.init.kind === 'map') {
      this.#sizes.set(fold.id, count);
      const entry = this.#entry(fold.step);
      if (entry) this.#entries.set(fold.id, entry);
    }
  }

  #push(name: string, local: Local): void {
    this.#locals.set(name, [...(this.#locals.get(name) ?? []), local]);
  }

  #pop(name: string): void {
    this.#locals.set(name, this.#locals.get(name)!.slice(0, -1));
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #path(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr.id) ?? [];
  }

  #node(expr: Expr): Estimated {
    const path = this.#path(expr);
    return {
      expr,
      type: this.#checked.typeOf(expr),
      path: path[0] === accumulatorName ? [] : path,
      size: this.#size(expr),
    };
  }

  #copySizes(to: Expr, from: Expr): void {
    const [size, entry] = [this.#size(from), this.#entry(from)];
    if (size) this.#sizes.set(to.id, size);
    if (entry) this.#entries.set(to.id, entry);
  }

  #sizeOrUnknown(expr: Expr): Bounds {
    return this.#size(expr) ?? unknown;
  }

  #size(expr: Expr): Bounds | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known) return known;
    const path = this.#path(expr);
    const found = path.length > 0 ? this.#sizeAt(path) : undefined;
    if (found) {
      this.#sizes.set(expr.id, found);
      return found;
    }
    if (isScalar(this.#checked.typeOf(expr))) return exactly(1);
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined;
  }

  #entry(expr: Expr): EntrySize | undefined {
    return this.#entries.get(expr.id) ?? (expr.kind === 'ident' ? this.#local(expr.name)?.entry : undefined);
  }
}

function literalSize(expr: Expr): Bounds | undefined {
  switch (expr.kind) {
    case 'literal':
      if (typeof expr.value === 'string') return exactly(codePoints(expr.value));
      return exactly(expr.value instanceof Uint8Array ? expr.value.length : 1);
    case 'list':
      return exactly(expr.elements.length);
    case 'map':
      return exactly(expr.entries.length);
    default:
      return undefined;
  }
}

const scalars = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);
const isScalar = (type: Type): boolean =>
  scalars.has(type.kind) || (type.kind === 'opaque' && type.name === 'optional_type' && isScalar(type.params[0]!));
