/** What a custom resource must be: its schema first, then, if that is so far right, its rules. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import type { FieldError } from '../../errors/field-error.ts';
import { validateCustom } from '../../schema/custom/validate.ts';
import type { Schema } from '../../schema/open-api.ts';
import { checkRules } from '../rules/check-rules.ts';
import { type RuleTree, ruleTree } from '../rules/rule-tree.ts';

/** Rules would trip over values of other types. */
const blocking: readonly FieldError['type'][] = [
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
];

const notChecked: FieldError = {
  type: 'FieldValueInvalid',
  field: '<nil>',
  value: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

export type Validate = (object: JsonObject, old?: JsonObject, work?: (units: number) => void) => FieldError[];

/** Rules are compiled when they are first needed. */
export function validatorOf(schema: Schema): Validate {
  let rules: { tree: RuleTree | undefined } | undefined;
  return (object, old, work) => {
    const errors = validateCustom(object, schema, old, work);
    rules ??= { tree: ruleTree(schema) };
    if (!rules.tree) return errors;
    if (errors.some(({ type }) => blocking.includes(type))) return [...errors, notChecked];
    return [...errors, ...checkRules(rules.tree, object, old, work)];
  };
}
