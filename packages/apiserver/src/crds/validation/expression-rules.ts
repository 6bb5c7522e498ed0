/** Validates the rules in a schema (`x-kubernetes-validations`): their form, their types, and their estimated cost. */

import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import type { Rule, Schema } from '../../schema/open-api.ts';
import { type CompiledRule, compileRules } from '../rules/compile-rules.ts';
import { fieldAt } from '../rules/field-path.ts';
import { shownRule } from './hoisted.ts';
import type { Place } from './schema-rules.ts';

const mostPerExpression = 10_000_000;
const mostPerSchema = 100_000_000;
const field = 'x-kubernetes-validations';
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

const hasLines = (text: string): boolean => /[\n\r]/.test(text);

export const ruleFormErrors = (schema: Schema, path: string): FieldError[] =>
  (schema[field] ?? []).flatMap((rule, index) => formErrors(rule, schema, `${path}.${field}[${index}]`));

function formErrors(rule: Rule, schema: Schema, path: string): FieldError[] {
  const { message = '', messageExpression = '', reason, fieldPath = '' } = rule;
  const errors = messageErrors((rule.rule ?? '').trim(), message, path);
  if (messageExpression && !messageExpression.trim()) {
    errors.push(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'));
  }
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notSupported(`${path}.reason`, reason, reasons));
  if (!fieldPath) return errors;
  const wrong = (why: string): FieldError => invalidValue(`${path}.fieldPath`, fieldPath, why);
  if (!fieldPath.trim()) errors.push(wrong('must be non-empty if specified'));
  if (hasLines(fieldPath)) errors.push(wrong('must not contain line breaks'));
  if (!fieldAt(fieldPath, schema)) errors.push(wrong('must be a valid path'));
  return errors;
}

function messageErrors(rule: string, message: string, path: string): FieldError[] {
  const text = message.trim();
  if (!rule) return [required(`${path}.rule`, 'rule is not specified')];
  if (message && !text) return [invalidValue(`${path}.message`, message, 'must be non-empty if specified')];
  if (hasLines(text)) return [invalidValue(`${path}.message`, message, 'must not contain line breaks')];
  if (hasLines(rule) && !text) {
    return [required(`${path}.message`, 'message must be specified if rule contains line breaks')];
  }
  return [];
}

/** The total cost of all rules of a schema. */
export class RuleCosts {
  #total = 0;
  #dearest: { path: string; cost: number }[] = [];

  add(path: string, cost: number): void {
    this.#total = Math.min(this.#total + cost, 2 ** 64);
    if (cost < mostPerSchema / 100) return;
    this.#dearest = [...this.#dearest, { path, cost }].sort((a, b) => b.cost - a.cost).slice(0, 4);
  }

  errors(path: string): FieldError[] {
    if (this.#total <= mostPerSchema) return [];
    const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#dearest.map((one) => forbiddenField(one.path, why)),
      forbiddenField(path, tooDear(name, this.#total, mostPerSchema)),
    ];
  }
}

function tooDear(name: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return `${name} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

export function expressionErrors(schema: Schema, place: Place, costs: RuleCosts): FieldError[] {
  const rules = schema[field] ?? [];
  if (rules.length === 0 || !place.expressions) return [];
  const { declared, most } = place.expressions;
  if (!declared) {
    const why =
      'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
    return [{ type: 'InternalError', field: `${place.path}.${field}`, detail: why }];
  }
  return compileRules(rules, schema, declared).flatMap((compiled, index) =>
    compiledErrors(compiled, place, most, `${place.path}.${field}[${index}]`, costs),
  );
}

function compiledErrors(
  compiled: CompiledRule,
  place: Place,
  most: number | undefined,
  path: string,
  costs: RuleCosts,
): FieldError[] {
  const { rule, fault, messageFault, mostCost, mostTimes, message, messageCost } = compiled;
  const errors: FieldError[] = [];
  const cost = mostCost === 0 ? 0 : Math.min(mostCost * (most ?? mostTimes), 2 ** 64);
  if (cost > mostPerExpression) {
    errors.push(forbiddenField(`${path}.rule`, tooDear('estimated rule cost', cost, mostPerExpression)));
  }
  costs.add(`${path}.rule`, cost);
  if (fault) errors.push(invalidValue(`${path}.rule`, shownRule(rule), fault));
  if (messageFault) errors.push(invalidValue(`${path}.messageExpression`, shownRule(rule), messageFault));
  else if (message) {
    if (messageCost > mostPerExpression) {
      const why = tooDear('estimated messageExpression cost', messageCost, mostPerExpression);
      errors.push(forbiddenField(`${path}.messageExpression`, why));
    }
    costs.add(`${path}.messageExpression`, messageCost);
  }
  if (compiled.usesOldSelf && place.uncorrelated !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`;
    errors.push(invalidValue(`${path}.rule`, rule.rule, why));
  }
  if (!compiled.usesOldSelf && rule.optionalOldSelf !== undefined) {
    const why = 'may not be set if oldSelf is not used in rule';
    errors.push(invalidValue(`${path}.optionalOldSelf`, rule.optionalOldSelf, why));
  }
  return errors;
}
