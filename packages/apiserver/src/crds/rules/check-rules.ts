/** Evaluates the validation rules of a schema for an object, with kube-apiserver's error texts and cost budget. */

import { equalJson, fieldOf, isObject, type JsonObject, type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import { CostLimitError, Meter } from '../../cel/meter.ts';
import { EvaluationError, none, Optional, type Value } from '../../cel/values.ts';
import { type FieldError, forbiddenField, invalidValue, required } from '../../errors/field-error.ts';
import type { Rule } from '../../schema/open-api.ts';
import type { CompiledRule } from './compile-rules.ts';
import { dataValue } from './data-values.ts';
import type { RuleTree } from './rule-tree.ts';

/** For one evaluation, and for all of an object. */
const mostPerCall = 1_000_000;
const mostPerObject = 10_000_000;
const longestMessage = 5 * 1024;

/** `old` is the value before an update: undefined if there was none, or if it cannot be correlated. */
interface Place {
  path: string;
  value: JsonValue;
  old: JsonValue | undefined;
  /** The nearest correlatable value around it did not change. */
  isUnchanged: boolean;
}

export function checkRules(
  tree: RuleTree,
  object: JsonObject,
  old: JsonObject | undefined,
  work: (units: number) => void = () => {},
): FieldError[] {
  const check = new RuleCheck(work);
  check.at(tree, { path: '', value: object, old, isUnchanged: false });
  return check.errors;
}

/** For a value inside of an object, such as a default. */
export function checkRulesAt(tree: RuleTree, value: JsonValue, path: string): FieldError[] {
  const check = new RuleCheck(() => {});
  check.at(tree, { path, value, old: undefined, isUnchanged: false });
  return check.errors;
}

/** The budget is used up: no further rule is evaluated. */
class OutOfBudget extends Error {}

class RuleCheck {
  readonly errors: FieldError[] = [];
  #budget = mostPerObject;
  readonly #work: (units: number) => void;

  constructor(work: (units: number) => void) {
    this.#work = work;
  }

  at(tree: RuleTree, place: Place): void {
    try {
      this.#visit(tree, place);
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
    }
  }

  #visit(tree: RuleTree, place: Place): void {
    const { value } = place;
    if (value === null) return;
    if (tree.rules.length > 0) this.#rules(tree, place);
    if (Array.isArray(value)) this.#elements(tree, place, value);
    else if (isObject(value)) this.#fields(tree, place, value);
  }

  #elements(tree: RuleTree, place: Place, list: JsonValue[]): void {
    if (!tree.items) return;
    const isUnchanged = place.old === undefined ? place.isUnchanged : equalJson(place.old, list);
    const before = byKeys(tree, place.old);
    for (const [index, value] of list.entries()) {
      const old = before?.get(keyOf(tree, value));
      this.#visit(tree.items, { path: `${place.path}[${index}]`, value, old, isUnchanged });
    }
  }

  #fields(tree: RuleTree, place: Place, object: JsonObject): void {
    const before = isObject(place.old) ? place.old : undefined;
    const isUnchanged = place.old === undefined ? place.isUnchanged : equalJson(place.old, object);
    for (const [name, value] of Object.entries(object)) {
      const property = tree.properties.get(name);
      const below = property ?? (tree.schema.properties ? undefined : tree.additional);
      if (!below) continue;
      const old = before && Object.hasOwn(before, name) ? before[name] : undefined;
      const path = property ? (place.path ? `${place.path}.${name}` : name) : `${place.path}[${name}]`;
      this.#visit(below, { path, value, old, isUnchanged });
    }
  }

  #rules({ rules, schema }: RuleTree, place: Place): void {
    const type = schema.type ?? '';
    const field = place.path || '<nil>';
    if (this.#budget <= 0) this.#end(field, type, outOfBudget);
    const self = lazily(() => dataValue(place.value, schema));
    const old = place.old === undefined || place.old === null ? undefined : lazily(() => dataValue(place.old!, schema));
    for (const compiled of rules) {
      if (compiled.fault) this.errors.push(invalidValue(field, type, `rule compile error: ${compiled.fault}`));
      if (!compiled.program || (compiled.usesOldSelf && !old && !compiled.rule.optionalOldSelf)) continue;
      const variables = () =>
        new Map<string, Value>([
          ['self', self()],
          ...(compiled.usesOldSelf ? [['oldSelf', oldValue(compiled.rule, old)] as const] : []),
        ]);
      this.#one(compiled, field, type, place, variables);
    }
  }

  #one(compiled: CompiledRule, field: string, type: string, place: Place, variables: () => Map<string, Value>): void {
    const { rule, program } = compiled;
    const shown = shownRule(rule);
    const outcome = this.#spend(field, type, outOfBudget, (meter) => program!(variables(), meter));
    if (outcome instanceof CostLimitError) {
      const detail = `'${outcome.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${shown}`;
      this.#end(field, type, detail);
    }
    if (outcome instanceof EvaluationError) {
      const detail = outcome.message.startsWith('no such overload')
        ? `'${outcome.message}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`
        : `${outcome.message} evaluating rule: ${shown}`;
      this.errors.push(invalidValue(field, type, detail));
      return;
    }
    if (outcome === true) return;
    const detail =
      this.#message(compiled, field, type, variables) ?? (rule.message ? rule.message.trim() : `failed rule: ${shown}`);
    // Ratcheting: an unchanged value may stay invalid.
    const isRatcheted = place.old === undefined ? place.isUnchanged : equalJson(place.old, place.value);
    if (isRatcheted && !compiled.usesOldSelf) return;
    const at = compiled.path ? (place.path ? `${place.path}.${compiled.path}` : compiled.path) : field;
    const value = type === 'object' || type === 'array' ? undefined : place.value;
    this.errors.push(errorOf(rule, at, value, detail));
  }

  /** Undefined if there is none, or if it is unusable. */
  #message(
    { message, rule }: CompiledRule,
    field: string,
    type: string,
    variables: () => Map<string, Value>,
  ): string | undefined {
    if (!message) return undefined;
    const spent =
      'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
    const made = this.#spend(field, type, spent, (meter) => message(variables(), meter));
    if (made instanceof CostLimitError) {
      const detail = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(rule.messageExpression)}`;
      return this.#end(field, type, detail);
    }
    if (typeof made !== 'string') return undefined;
    const text = made.trim();
    return text === '' || text.includes('\n') || Buffer.byteLength(text) > longestMessage ? undefined : text;
  }

  #spend(
    field: string,
    type: string,
    spent: string,
    evaluate: (meter: Meter) => Value,
  ): Value | EvaluationError | CostLimitError {
    const meter = new Meter(mostPerCall, this.#work);
    let outcome: Value | EvaluationError | CostLimitError;
    try {
      outcome = evaluate(meter);
    } catch (error) {
      if (!(error instanceof EvaluationError || error instanceof CostLimitError)) throw error;
      outcome = error;
    }
    if (meter.cost > this.#budget) return this.#end(field, type, spent);
    this.#budget -= meter.cost;
    return outcome;
  }

  #end(field: string, type: string, detail: string): never {
    this.errors.push(invalidValue(field, type, detail));
    throw new OutOfBudget();
  }
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

const shownRule = ({ rule, message }: Rule): string => (message || rule).trim();

const lazily = (make: () => Value): (() => Value) => {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

function oldValue({ optionalOldSelf }: Rule, old: (() => Value) | undefined): Value {
  if (!optionalOldSelf) return old!();
  return old ? new Optional(old()) : none;
}

function errorOf({ reason }: Rule, field: string, value: JsonValue | undefined, detail: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return { type: 'FieldValueDuplicate', field, ...(value === undefined ? {} : { value }) };
    default:
      return { type: 'FieldValueInvalid', field, ...(value === undefined ? {} : { value }), detail };
  }
}

/** Only elements with keys can be correlated. */
function byKeys(tree: RuleTree, old: JsonValue | undefined): ReadonlyMap<string, JsonValue> | undefined {
  if (tree.schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return undefined;
  return new Map(old.map((one) => [keyOf(tree, one), one]));
}

const keyOf = ({ schema }: RuleTree, element: JsonValue): string =>
  isObject(element)
    ? jsonText((schema['x-kubernetes-list-map-keys'] ?? []).map((key) => fieldOf(element, key) ?? null))
    : '';
