/** Validates a custom resource: by its schema first, then, if that has no blocking errors, by its rules. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import type { FieldError } from '../../errors/field-error.ts';
import { validateCustom } from '../../schema/custom/validate.ts';
import type { Schema } from '../../schema/open-api.ts';
import type { Scale } from '../definition.ts';
import { checkRules } from '../rules/check-rules.ts';
import { type RuleTree, ruleTree } from '../rules/rule-tree.ts';
import { scaleErrors } from './scale-rules.ts';

/** Errors after which rules would fail because of wrong types. */
const blocking: readonly FieldError['type'][] = [
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
];

export const isBlocking = ({ type }: FieldError): boolean => blocking.includes(type);

const notChecked: FieldError = {
  type: 'FieldValueInvalid',
  field: '<nil>',
  value: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

export interface Validation {
  object: JsonObject;
  /** The object before an update. */
  old?: JsonObject | undefined;
  /** Rules are skipped. */
  isBlocked?: boolean | undefined;
}

export type Validate = (validation: Validation, work?: (units: number) => void) => FieldError[];

/** Rules are compiled on first use. */
export function validatorOf(schema: Schema, scale: Scale | undefined): Validate {
  let rules: { tree: RuleTree | undefined } | undefined;
  return ({ object, old, isBlocked }, work) => {
    const errors = [...validateCustom(object, schema, old, work), ...scaleErrors(object, scale)];
    rules ??= { tree: ruleTree(schema) };
    if (!rules.tree) return errors;
    if (isBlocked || errors.some(isBlocking)) return [...errors, notChecked];
    return [...errors, ...checkRules(rules.tree, object, old, work)];
  };
}
