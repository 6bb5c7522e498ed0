/** The type checker of expressions, with cel-go's error texts. */

import { assigned, moreGeneral, type Substitutions, substituted } from './assignable.ts';
import type { Expr, Fold } from './ast.ts';
import type { Checked } from './checked.ts';
import type { Environment, FunctionDeclaration } from './environment.ts';
import type { Issue } from './issues.ts';
import { namedType } from './named-types.ts';
import * as types from './types.ts';
import { formatType, isOptional, type Type, unwrapped } from './types.ts';
import { typeOf } from './values.ts';

export function check(expr: Expr, environment: Environment): Checked {
  const checker = new Checker(environment);
  checker.check(expr);
  return checker.result(expr);
}

class Checker {
  readonly #environment: Environment;
  readonly #issues: Issue[] = [];
  readonly #types = new Map<number, Type>();
  readonly #overloads = new Map<number, readonly string[]>();
  #known: Substitutions = new Map();
  #scopes: Map<string, Type>[] = [];
  #open = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  result(expr: Expr): Checked {
    const settled = new Map([...this.#types].map(([id, type]) => [id, substituted(this.#known, type, true)] as const));
    return {
      expr,
      issues: this.#issues,
      typeOf: (one) => settled.get(one.id) ?? types.dyn,
      overloadsOf: (one) => this.#overloads.get(one.id) ?? [],
    };
  }

  check(expr: Expr): Type {
    const type = this.#typed(expr);
    this.#types.set(expr.id, type);
    return type;
  }

  #typed(expr: Expr): Type {
    switch (expr.kind) {
      case 'literal':
        return typeOf(expr.value);
      case 'ident':
        return this.#ident(expr.name.replace(/^\./, '')) ?? this.#undeclared(expr.at, expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        for (const { value } of expr.fields) this.check(value);
        return this.#undeclared(expr.at, expr.type);
      case 'fold':
        return this.#fold(expr);
    }
  }

  #report(at: number, message: string): void {
    this.#issues.push({ at, message });
  }

  #undeclared(at: number, name: string): Type {
    this.#report(at, `undeclared reference to '${name}' (in container '')`);
    return types.error;
  }

  #mismatch(at: number, expected: Type, actual: Type): void {
    this.#report(at, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  #ident(name: string): Type | undefined {
    for (let index = this.#scopes.length - 1; index >= 0; index--) {
      const found = this.#scopes[index]!.get(name);
      if (found) return found;
    }
    const variable = this.#environment.variables.get(name);
    if (variable) return variable;
    const named = namedType(name);
    return named && types.typeOfType(named);
  }

  #select(expr: Expr & { kind: 'select' }): Type {
    const name = qualifiedName(expr);
    const type = name === undefined ? undefined : this.#ident(name);
    if (type) return type;
    const found = this.#field(expr.at, expr.operand, expr.field, false);
    return expr.test ? types.bool : substituted(this.#known, found, false);
  }

  #field(at: number, operand: Expr, field: string, wrap: boolean): Type {
    const whole = substituted(this.#known, this.check(operand), false);
    const target = unwrapped(whole);
    const found = this.#fieldType(at, target, field);
    return wrap || isOptional(whole) ? types.optional(found) : found;
  }

  #fieldType(at: number, target: Type, field: string): Type {
    switch (target.kind) {
      case 'map':
        return target.params[1]!;
      case 'struct': {
        const found = this.#environment.fieldsOf(target.name)?.get(field);
        if (!found) this.#report(at, `undefined field '${field}'`);
        return found ?? types.error;
      }
      case 'param':
        this.#assign(types.dyn, target);
        return types.dyn;
      case 'dyn':
      case 'error':
        return types.dyn;
      default:
        this.#report(at, `type '${formatType(target)}' does not support field selection`);
        return types.dyn;
    }
  }

  #call(expr: Expr & { kind: 'call' }): Type {
    if (expr.name === '_?._') {
      const [operand, field] = expr.args;
      this.#types.set(field!.id, types.string);
      this.#overloads.set(expr.id, ['select_optional_field']);
      const name = field!.kind === 'literal' ? String(field!.value) : '';
      return substituted(this.#known, this.#field(expr.at, operand!, name, true), false);
    }
    for (const arg of expr.args) this.check(arg);
    const { target } = expr;
    if (target) {
      const prefix = qualifiedName(target);
      const full = prefix === undefined ? undefined : `${prefix}.${expr.name}`;
      const namespaced = full === undefined ? undefined : this.#environment.functions.get(full);
      if (namespaced) {
        expr.name = full!;
        expr.target = undefined;
        return this.#resolve(expr, namespaced);
      }
      this.check(target);
    }
    const declared = this.#environment.functions.get(expr.name);
    return declared ? this.#resolve(expr, declared) : this.#undeclared(expr.at, expr.name);
  }

  #resolve(expr: Expr & { kind: 'call' }, { overloads }: FunctionDeclaration): Type {
    const operands = [...(expr.target ? [expr.target] : []), ...expr.args];
    const given = operands.map((one) => this.#types.get(one.id)!);
    if (expr.name === '_&&_' || expr.name === '_||_') return this.#logical(expr, operands, given);
    let result: Type | undefined;
    const ids: string[] = [];
    for (const overload of overloads) {
      if (overload.member !== (expr.target !== undefined)) continue;
      const fresh = this.#instance([overload.result, ...overload.args]);
      const known = assigned(this.#known, given, fresh.slice(1));
      if (!known) continue;
      this.#known = known;
      ids.push(overload.id);
      const type = substituted(known, fresh[0]!, false);
      if (!result) result = type;
      else if (result.kind !== 'dyn' && !types.sameType(result, type)) result = types.dyn;
    }
    this.#overloads.set(expr.id, ids);
    if (result) return result;
    const shown = given.map((one) => formatType(substituted(this.#known, one, true)));
    const signature = expr.target ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
    this.#report(expr.at, `found no matching overload for '${expr.name}' applied to '${signature}'`);
    return types.error;
  }

  #logical(expr: Expr & { kind: 'call' }, operands: readonly Expr[], given: readonly Type[]): Type {
    this.#overloads.set(expr.id, [expr.name === '_&&_' ? 'logical_and' : 'logical_or']);
    let isWrong = false;
    for (const [index, type] of given.entries()) {
      if (this.#assign(type, types.bool)) continue;
      this.#mismatch(operands[index]!.at, types.bool, type);
      isWrong = true;
    }
    return isWrong ? types.error : types.bool;
  }

  /** With fresh type parameters. */
  #instance(declared: readonly Type[]): Type[] {
    const fresh: Substitutions = new Map();
    const visit = (type: Type): void => {
      if (type.kind === 'param' && !fresh.has(type.name)) fresh.set(type.name, this.#newOpen());
      type.params.forEach(visit);
    };
    declared.forEach(visit);
    return fresh.size === 0 ? [...declared] : declared.map((type) => substituted(fresh, type, false));
  }

  #newOpen(): Type {
    return types.param(`_var${this.#open++}`);
  }

  #list(expr: Expr & { kind: 'list' }): Type {
    let joined: Type | undefined;
    for (const [index, element] of expr.elements.entries()) {
      const type = this.#element(element, expr.optional[index]!);
      joined = this.#join(element, joined, type);
    }
    return types.list(joined ?? this.#newOpen());
  }

  #map(expr: Expr & { kind: 'map' }): Type {
    let key: Type | undefined;
    let value: Type | undefined;
    for (const entry of expr.entries) {
      key = this.#join(entry.key, key, this.check(entry.key));
      value = this.#join(entry.value, value, this.#element(entry.value, entry.optional));
    }
    return types.map(key ?? this.#newOpen(), value ?? this.#newOpen());
  }

  #element(expr: Expr, optional: boolean): Type {
    const type = this.check(expr);
    if (!optional) return type;
    if (!isOptional(type) && type.kind !== 'dyn') this.#mismatch(expr.at, types.optional(type), type);
    return unwrapped(type);
  }

  #join(expr: Expr, before: Type | undefined, type: Type): Type {
    if (!before) return type;
    if (this.#assign(before, type)) return moreGeneral(before, type);
    this.#mismatch(expr.at, before, type);
    return types.error;
  }

  #assign(from: Type, to: Type): boolean {
    const known = assigned(this.#known, [from], [to]);
    if (known) this.#known = known;
    return known !== undefined;
  }

  #fold(fold: Expr & Fold): Type {
    const range = this.check(fold.range);
    const accumulator = this.check(fold.init);
    const whole = substituted(this.#known, range, false);
    this.#scopes.push(new Map([[fold.accumulator, accumulator]]));
    const [first, second] = this.#iterated(fold, whole);
    const loop = new Map([[fold.variable, first]]);
    if (fold.variable2 !== undefined) loop.set(fold.variable2, second);
    this.#scopes.push(loop);
    this.#expect(fold.condition, types.bool);
    this.#expect(fold.step, accumulator);
    this.#scopes.pop();
    const result = this.check(fold.result);
    this.#scopes.pop();
    return substituted(this.#known, result, false);
  }

  #iterated({ range, variable2 }: Fold, type: Type): [Type, Type] {
    switch (type.kind) {
      case 'list':
        return variable2 === undefined ? [type.params[0]!, types.error] : [types.int, type.params[0]!];
      case 'map':
        return [type.params[0]!, type.params[1]!];
      case 'dyn':
      case 'error':
      case 'param':
        this.#assign(types.dyn, type);
        return [types.dyn, types.dyn];
      default:
        this.#report(
          range.at,
          `expression of type '${formatType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [types.error, types.error];
    }
  }

  #expect(expr: Expr, expected: Type): void {
    const type = this.check(expr);
    if (!this.#assign(expected, type)) this.#mismatch(expr.at, expected, type);
  }
}

/** The name `a.b.c`, if the expression is nothing else. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.test) return undefined;
  const before = qualifiedName(expr.operand);
  return before === undefined ? undefined : `${before}.${expr.field}`;
}
